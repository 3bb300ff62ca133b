import { expect, it } from "vitest";
import { listHooks } from "#src/hooks/listing";
import { globMatcher } from "#src/hooks/matcher";
import { printable, printableLine } from "#src/hooks/printable";
import { commandHook } from "../support/hooks.js";

const BLOCK_SECRETS = `python -c "import json,sys; p=json.load(sys.stdin).get('tool_input',{}).get('path',''); sys.exit(0)"`;

it("the listing is that of the mnemoai document, to the letter", () => {
  const matcher = globMatcher("fs_write");
  const text = listHooks({
    title: "Tool hooks",
    file: "~/.mnemoai/hooks/hooks.json",
    hooks: [
      commandHook("a", { matcher, runner: { kind: "command", command: BLOCK_SECRETS, timeoutMs: 10_000 } }),
      commandHook("b", {
        moment: "postToolCall",
        matcher,
        runner: { kind: "command", command: 'ruff format "$(…)"', timeoutMs: 30_000 },
      }),
    ],
    eventName: (hook) => (hook.moment === "preToolCall" ? "PreToolUse" : "PostToolUse"),
    problems: [],
  });
  expect(text).toBe(`Tool hooks
  config: ~/.mnemoai/hooks/hooks.json

  PreToolUse
    fs_write             python -c "import json,sys; p=json.load(sys.stdi…  (10s)

  PostToolUse
    fs_write             ruff format "$(…)"  (30s)

  2 hook(s), read at startup — restart to apply an edit.`);
});

it("a hook that does not parse is reported in the listing", () => {
  const text = listHooks({
    title: "Hooks",
    file: "a.yaml",
    hooks: [],
    eventName: () => "",
    problems: ["a.yaml:3:5: no"],
  });
  expect(text).toContain("\n  ! a.yaml:3:5: no");
});

it("what is printed cannot write over the terminal", () => {
  expect(printable("a\u001b[2Jb\rc\u202ed\te\nf")).toBe("a\\u{1b}[2Jb\\u{d}c\\u{202e}d\te\nf");
  expect(printableLine("a\n  b\tc")).toBe("a b c");
  expect(printableLine("abcdef", 4)).toBe("abc…");
  expect(printableLine("😀😀😀", 3)).toBe("😀…");
});
