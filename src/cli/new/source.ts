import type { Moment } from "../../hooks/event.js";
import { EXAMPLES } from "./example.js";

/** Languages that a new hook can be in: those that wasmhook builds, and programs that read stdin and print. */
export const NEW_LANGUAGES = ["as", "ts", "c", "rust", "go"] as const;
export type NewLanguage = (typeof NEW_LANGUAGES)[number];

interface Source {
  readonly file: string;
  readonly text: string;
}

/** The source of a new hook: it decides something where it finds a text in an event. */
export function sourceOf(language: NewLanguage, moment: Moment): Source {
  return SOURCES[language](moment);
}

const SOURCES: Readonly<Record<NewLanguage, (moment: Moment) => Source>> = {
  as(moment) {
    const { needle, in: where, call } = EXAMPLES[moment];
    const [name, ...texts] = call;
    const decision = `${name}(${texts.map((text) => JSON.stringify(text)).join(", ")})`;
    return {
      file: "hook.ts",
      text: `import { Decision, Event, ${name} } from "wasmhook/guest";

/** Null is no opinion. */
export function handle(event: Event): Decision | null {
  if (event.moment != "${moment}") return null;
  return ${where.as}.includes(${JSON.stringify(needle)}) ? ${decision} : null;
}
`,
    };
  },
  ts(moment) {
    const { needle, in: where, decision } = EXAMPLES[moment];
    const type = `${moment[0]?.toUpperCase()}${moment.slice(1)}Decision`;
    return {
      file: "hook.ts",
      text: `import type { ${type}, TypedEvent } from "wasmhook/types";

/** {} is no opinion. */
export function handle(event: TypedEvent): ${type} {
  if (event.event !== "${moment}" || !${where.ts}.includes(${JSON.stringify(needle)})) return {};
  return ${JSON.stringify(decision, undefined, 2)
    .replaceAll("\n", "\n  ")
    .replaceAll(/"(\w+)":/g, "$1:")};
}
`,
    };
  },
  c(moment) {
    const { needle, decision } = EXAMPLES[moment];
    return {
      file: "hook.c",
      text: `#include <stdio.h>
#include <string.h>

static char event[1 << 20];

/* The event is JSON on stdin, the decision JSON on stdout; nothing is no opinion. Use a JSON library to read more. */
int main(void) {
  size_t length = fread(event, 1, sizeof event - 1, stdin);
  if (length == sizeof event - 1) {
    fputs("the event is too long\\n", stderr);
    return 1;
  }
  if (strstr(event, ${JSON.stringify(needle)}) != NULL) {
    puts(${JSON.stringify(JSON.stringify(decision))});
  }
  return 0;
}
`,
    };
  },
  rust(moment) {
    const { needle, decision } = EXAMPLES[moment];
    return {
      file: "hook.rs",
      text: `use std::io::{read_to_string, stdin};

/// The event is JSON on stdin, the decision JSON on stdout; nothing is no opinion. Use a JSON library to read more.
fn main() -> std::io::Result<()> {
    let event = read_to_string(stdin())?;
    if event.contains(${JSON.stringify(needle)}) {
        println!("{}", r#"${JSON.stringify(decision)}"#);
    }
    Ok(())
}
`,
    };
  },
  go(moment) {
    const { needle, in: where, decision } = EXAMPLES[moment];
    return {
      file: "hook.go",
      text: `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type Event struct {
	Event    string \`json:"event"\`
	Prompt   string \`json:"prompt"\`
	Response string \`json:"response"\`
	Tool     struct {
		Name   string         \`json:"name"\`
		Input  map[string]any \`json:"input"\`
		Output string         \`json:"output"\`
		Error  string         \`json:"error"\`
	} \`json:"tool"\`
}

// The event is JSON on stdin, the decision JSON on stdout; nothing is no opinion.
func main() {
	var event Event
	if err := json.NewDecoder(os.Stdin).Decode(&event); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if event.Event == "${moment}" && strings.Contains(${where.go}, ${JSON.stringify(needle)}) {
		fmt.Println(\`${JSON.stringify(decision)}\`)
	}
}
`,
    };
  },
};
