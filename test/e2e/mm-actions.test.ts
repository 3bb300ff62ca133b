import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookEvent } from "#src/index";
import { guest, logGuest } from "../support/guests.js";
import { component, hook, KINDS, load, mmAgent, outcomeOf, says, saysWhere, sharedHooks } from "./hooks.js";

const cwd = tmpdir();
/** Answers a question's event from its prompt on, the last of its fields, as an object of its own. */
const beforePrompt = `{"event":"preGeneration","cwd":${JSON.stringify(cwd)}`.length;
const promptGuest = guest({
  handle: `
    (local.set $ptr (i32.add (local.get $ptr) (i32.const ${beforePrompt})))
    (i32.store8 (local.get $ptr) (i32.const 0x7b))
    (call $answer (i32.const 0) (local.get $ptr) (i32.sub (local.get $len) (i32.const ${beforePrompt})))`,
});
const question = (prompt: string): HookEvent => ({ event: "preGeneration", cwd, prompt });
const toolCall = (name: string): HookEvent => ({
  event: "preToolCall",
  cwd,
  tool: { name, input: { path: "a.txt", content: "hi", mode: "w" } },
});
const AFTER: HookEvent = {
  event: "postToolCall",
  cwd,
  tool: { name: "write_file", input: { path: "a.txt" }, output: "2 bytes written" },
};
const ANSWER: HookEvent = { event: "postGeneration", cwd, prompt: "Why?", response: "Because." };
const EVENTS = [question("Why?"), toolCall("write_file"), AFTER, ANSWER];

const NO_WRITES = { action: "deny", reason: "no writes" };
const NO_SECRETS = { action: "stop", reason: "it asks for secrets", response: "I do not read secrets." };

describe.each(KINDS)("a %s hook", (kind) => {
  const agent = sharedHooks(async () =>
    mmAgent({
      preGeneration: [
        await saysWhere(kind, '"prompt":"stop?"', NO_SECRETS),
        await saysWhere(kind, '"prompt":"rewrite?"', { prompt: "What is in docs/?" }),
        await saysWhere(kind, '"prompt":"add?"', { context: "It is Friday." }),
      ],
      preToolCall: [
        { matcher: "deny", ...(await says(kind, NO_WRITES)) },
        { matcher: "rewrite", ...(await says(kind, { input: { path: "b.txt" } })) },
      ],
      postToolCall: [await says(kind, { context: "Run the tests now." })],
      postGeneration: [await says(kind, { notice: "3 files written" })],
    }),
  );

  it.each<[statement: string, event: HookEvent, outcome: object]>([
    [
      "on preToolCall refuses a tool call, with a reason for the model",
      toolCall("deny"),
      { decision: "deny", reason: "no writes" },
    ],
    [
      "on preToolCall changes the arguments: its input replaces the whole object",
      toolCall("rewrite"),
      { decision: "none", input: { path: "b.txt" } },
    ],
    [
      "on preGeneration stops a question, with a response for the user and a reason for the history",
      question("stop?"),
      { decision: "stop", reason: "it asks for secrets", response: "I do not read secrets." },
    ],
    [
      "on preGeneration rewrites the question: its prompt replaces it",
      question("rewrite?"),
      { decision: "none", prompt: "What is in docs/?" },
    ],
    [
      "on preGeneration adds context to the question, which stays as it is",
      question("add?"),
      { decision: "none", context: "It is Friday." },
    ],
    [
      "on postToolCall adds a note after the tool's output, with the same field",
      AFTER,
      { decision: "none", context: "Run the tests now." },
    ],
    [
      "on postGeneration has a notice for the user, and nothing for the model",
      ANSWER,
      { decision: "none", notices: [{ hook: "postGeneration[0]", kind: "info", text: "3 files written" }] },
    ],
  ])("%s", async (_statement, event, expected) => {
    const { runs, ...outcome } = await agent.hooks.run(event);
    expect(outcome).toEqual({ notices: [], ...expected });
    const deciding = runs.filter(({ decided }) => decided !== "nothing");
    expect(deciding).toMatchObject([{ event: event.event, runner: kind }]);
  });

  it("on preGeneration reads the question as input.prompt", async () => {
    const echoed = await hook(kind, {
      command: `node -e 'const input = JSON.parse(require("fs").readFileSync(0)); console.log(JSON.stringify({ prompt: input.prompt }))'`,
      wasm: promptGuest,
    });
    const prompt = 'A "quoted"\nquestion 🪝';
    const outcome = await outcomeOf(await mmAgent({ preGeneration: [echoed] }), question(prompt));
    expect(outcome.prompt).toBe(prompt);
  });

  it("lets the turn go on by printing nothing, be it white space or an empty object, on every event", async () => {
    const silent = await Promise.all(["", " \n", "{}"].map((said) => says(kind, said)));
    const hooks = await load(await mmAgent(Object.fromEntries(EVENTS.map(({ event }) => [event, silent]))));
    for (const event of EVENTS) {
      const { runs, ...outcome } = await hooks.run(event);
      expect(outcome).toEqual({ decision: "none", notices: [] });
      expect(runs.map(({ decided }) => decided)).toEqual(["nothing", "nothing", "nothing"]);
    }
  });
});

describe("to log, on postToolCall and postGeneration,", () => {
  it("a command appends its input to a file and prints nothing; one script serves both events", async () => {
    const log = { command: 'cat >> "$MM_CONFIG_DIR/log"; echo >> "$MM_CONFIG_DIR/log"', onError: "ignore" };
    const agent = await mmAgent({ postToolCall: [log], postGeneration: [log] });
    const hooks = await load(agent);
    for (const event of [AFTER, ANSWER]) {
      const outcome = await hooks.run(event);
      expect(outcome).toMatchObject({ decision: "none", notices: [], runs: [{ decided: "nothing" }] });
    }
    const lines = (await readFile(join(dirname(agent), "log"), "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([AFTER, ANSWER]);
  });

  it("a module logs to the user through its host; one module serves both events", async () => {
    const log = { wasm: await component(logGuest), onError: "ignore" };
    const agent = await mmAgent({ postToolCall: [log], postGeneration: [log] });
    const hooks = await load(agent);
    for (const event of [AFTER, ANSWER]) {
      const outcome = await hooks.run(event);
      expect(outcome).toMatchObject({ decision: "none", notices: [], runs: [{ decided: "nothing" }] });
      const logged = outcome.runs[0]?.logs?.map(({ message }) => JSON.parse(message) as unknown);
      expect(logged).toEqual([event]);
    }
  });

  it("a script that serves several events reads which it is from input.event or $MM_HOOK_EVENT", async () => {
    const both = {
      command: `node -e 'const { event } = JSON.parse(require("fs").readFileSync(0)); require("fs").appendFileSync(process.env.MM_CONFIG_DIR + "/log", event + " " + process.env.MM_HOOK_EVENT + "\\n")'`,
    };
    const agent = await mmAgent(Object.fromEntries(EVENTS.map(({ event }) => [event, [both]])));
    const hooks = await load(agent);
    for (const event of EVENTS) await hooks.run(event);
    expect(await readFile(join(dirname(agent), "log"), "utf8")).toBe(
      EVENTS.map(({ event }) => `${event} ${event}\n`).join(""),
    );
  });
});
