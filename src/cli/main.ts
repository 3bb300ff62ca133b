#!/usr/bin/env node
import { createRequire } from "node:module";
import { WasmhookError } from "../errors.js";
import { nearest } from "../hooks/nearest.js";
import { printable } from "../hooks/printable.js";
import { EXIT, type Io, type Verb } from "./io.js";

const HELP = `Usage: wasmhook VERB [options]

Runs the hooks of an AI coding agent: WebAssembly modules in a sandbox, and commands, in one chain.

Verbs:
  new      make a folder with a new hook, that builds and passes its test
  run      run one event through the hooks of a config file
  list     list the hooks of a config file
  check    load everything a config file names, and run nothing
  inspect  show what a hook module is, before anybody runs it
  test     run hooks over saved events, and compare what comes with what is expected
  profile  show where the fuel of a hook goes, function by function
  record   save the event on stdin, as a hook of an agent, for test
  build    make a hook module of a source in AssemblyScript, TypeScript or JavaScript
  cache    show or clear what is kept of modules that were loaded

  wasmhook VERB --help says more of each.

Options:
  -h, --help       print this
  -v, --version    print the version

Exit codes: 0 go on, 2 a hook refused (run only), 1 anything that kept wasmhook from its job

Examples:
  wasmhook run --config agent.yaml --event event.json
  wasmhook check --config ~/.mnemoai/hooks/hooks.json
`;

/** Loaded when called, so that a verb pays for nothing that it does not need. */
const VERBS: Record<string, () => Promise<Verb>> = {
  new: async () => (await import("./new.js")).create,
  run: async () => (await import("./run.js")).run,
  list: async () => (await import("./list.js")).list,
  check: async () => (await import("./check.js")).check,
  inspect: async () => (await import("./inspect.js")).inspect,
  test: async () => (await import("./test.js")).test,
  profile: async () => (await import("./profile.js")).profile,
  record: async () => (await import("./record.js")).record,
  build: async () => (await import("./build.js")).build,
  cache: async () => (await import("./cache.js")).cache,
};

async function main(args: string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  if (name === "-h" || name === "--help" || name === "help") {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  if (name === "-v" || name === "--version") {
    io.stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  const load = name === undefined || !Object.hasOwn(VERBS, name) ? undefined : VERBS[name];
  if (load === undefined) return unknownVerb(name, io);
  try {
    return await (await load())(rest, io);
  } catch (error) {
    return report(name ?? "", error, io);
  }
}

function unknownVerb(name: string | undefined, io: Io): number {
  if (name === undefined) {
    io.stderr.write(HELP);
    return EXIT.failed;
  }
  const meant = nearest(name, Object.keys(VERBS));
  const hint = meant === undefined ? "see wasmhook --help" : `did you mean ${meant}?`;
  io.stderr.write(`wasmhook: there is no verb ${printable(name)}: ${hint}\n`);
  return EXIT.failed;
}

function report(verb: string, error: unknown, io: Io): number {
  if (error instanceof WasmhookError) {
    const hint = error.code === "usage" ? ` (see wasmhook ${verb} --help)` : "";
    io.stderr.write(`wasmhook ${verb}: ${printable(error.message)} [${error.code}]${hint}\n`);
  } else {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.stderr.write(`wasmhook ${verb}: a fault of wasmhook itself, please report it: ${printable(said)}\n`);
  }
  return EXIT.failed;
}

function version(): string {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  return version;
}

/** Exit code 2 means a refusal, so no accident of ours may ever end in it. */
function dieWithFailure(signal: number): () => void {
  return () => process.exit(128 + signal);
}
process.once("SIGINT", dieWithFailure(2));
process.once("SIGTERM", dieWithFailure(15));
process.once("SIGHUP", dieWithFailure(1));
let answerLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that has gone away is no fault; an answer that could not be written must not pass for "go on".
  if (error.code === "EPIPE") return;
  answerLost = true;
  exitWith(process.exitCode);
});
process.stderr.on("error", () => {});

function exitWith(code: typeof process.exitCode): void {
  process.exitCode = answerLost && code === EXIT.ok ? EXIT.failed : code;
}

// What Node would exit with by itself, were something never to settle, is none of our codes.
process.exitCode = EXIT.failed;
exitWith(
  await main(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    color: process.stdout.isTTY === true && !process.env.NO_COLOR,
  }),
);
