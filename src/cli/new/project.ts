import type { Moment } from "../../hooks/event.js";
import { EXAMPLES } from "./example.js";
import { type NewLanguage, sourceOf } from "./source.js";

export interface NewProject {
  /** Names within the folder, and their texts. */
  readonly files: Readonly<Record<string, string>>;
  /** What to type next, in the folder: to build, or to get what builds, and to test. */
  readonly next: readonly [build: string, test: string];
}

/** A folder with a new hook in it, two events, and what they come to. */
export function projectOf(name: string, language: NewLanguage, moment: Moment, version: string): NewProject {
  const { events } = EXAMPLES[moment];
  const { file, text } = sourceOf(language, moment);
  const program = PROGRAMS[language as keyof typeof PROGRAMS];
  const next =
    program === undefined
      ? (["npm install", "npx wasmhook test hook.ts"] as const)
      : ([program(`${name}.wasm`), `wasmhook test ${name}.wasm --dialect mm`] as const);
  return {
    files: {
      [file]: text,
      ...(program === undefined ? packageFiles(name, language as "as" | "ts", version) : {}),
      "events/found.json": json(events.found),
      "events/found.expected.json": json(expectedAt(moment)),
      "events/other.json": json(events.other),
      "events/other.expected.json": json({ decision: "none" }),
      "README.md": readme(name, language, moment, next),
    },
    next,
  };
}

/** The build lines of programs that are commands of WASI preview 1. */
const PROGRAMS = {
  c: (out: string) => `clang --target=wasm32-wasi --sysroot=/usr -O2 -o ${out} hook.c`,
  rust: (out: string) => `rustc --target wasm32-wasip1 -O -o ${out} hook.rs`,
  go: (out: string) => `GOOS=wasip1 GOARCH=wasm go build -o ${out} hook.go`,
};

/** What the decision of the example comes to, as `wasmhook test` has it. */
function expectedAt(moment: Moment): object {
  const { action = "none", notice, ...rest } = EXAMPLES[moment].decision;
  const notices = [{ hook: `${moment}[0]`, kind: "info", text: notice }];
  return { decision: action, ...rest, ...(notice === undefined ? {} : { notices }) };
}

function packageFiles(name: string, language: "as" | "ts", version: string): Record<string, string> {
  const tools =
    language === "as"
      ? { assemblyscript: "^0.28.0" }
      : { "componentize-qjs": "~0.4.5", esbuild: "^0.28.0", typescript: "^5.9.0" };
  const tsconfig =
    language === "as"
      ? { extends: "assemblyscript/std/assembly.json", include: ["*.ts"] }
      : {
          compilerOptions: {
            target: "es2023",
            lib: ["es2023"],
            module: "nodenext",
            strict: true,
            noEmit: true,
          },
          include: ["*.ts"],
        };
  return {
    "package.json": json({
      name,
      version: "0.0.0",
      private: true,
      type: "module",
      scripts: { build: `wasmhook build hook.ts -o ${name}.wasm`, test: "wasmhook test hook.ts" },
      devDependencies: { ...tools, wasmhook: `^${version}` },
    }),
    "tsconfig.json": json(tsconfig),
  };
}

/** At these a hook can refuse, and one that fails must not let pass what it is there for. */
const GUARDS: ReadonlySet<Moment> = new Set(["preGeneration", "preToolCall"]);
const GUARD = `          onError: fail

With \`onError: fail\` a hook that fails, for whatever reason, refuses.
`;

function readme(
  name: string,
  language: NewLanguage,
  moment: Moment,
  [build, test]: readonly string[],
): string {
  const made = language === "as" || language === "ts" ? "`npm run build` writes the module. " : "";
  return `# ${name}

A hook of an AI coding agent, for ${moment}.

    ${build}
    ${test}

\`events\` holds events to try it on, and what each should come to.
${made}Declare the module in the agent's YAML:

    hooks:
      ${moment}:
        - wasm: ${name}.wasm
${GUARDS.has(moment) ? GUARD : ""}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
