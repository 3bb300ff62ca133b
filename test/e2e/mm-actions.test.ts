import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookEvent } from "#src/index";
import { echoGuest, logGuest } from "../support/guests.js";
import { component, hook, KINDS, load, mmAgent, outcomeOf, says } from "./hooks.js";

const cwd = tmpdir();
const QUESTION: HookEvent = { event: "preGeneration", cwd, prompt: "What is in secrets/?" };
const BEFORE: HookEvent = {
  event: "preToolCall",
  cwd,
  tool: { name: "write_file", input: { path: "a.txt", content: "hi", mode: "w" } },
};
const AFTER: HookEvent = {
  event: "postToolCall",
  cwd,
  tool: { name: "write_file", input: { path: "a.txt" }, output: "2 bytes written" },
};
const ANSWER: HookEvent = { event: "postGeneration", cwd, prompt: "Why?", response: "Because." };
const EVENTS = [QUESTION, BEFORE, AFTER, ANSWER];

describe.each(KINDS)("a %s hook", (kind) => {
  it.each<[statement: string, event: HookEvent, said: object, outcome: object]>([
    [
      "on preToolCall refuses a tool call, with a reason for the model",
      BEFORE,
      { action: "deny", reason: "no writes" },
      { decision: "deny", reason: "no writes" },
    ],
    [
      "on preToolCall changes the arguments: its input replaces the whole object",
      BEFORE,
      { input: { path: "b.txt" } },
      { decision: "none", input: { path: "b.txt" } },
    ],
    [
      "on preGeneration stops a question, with a response for the user and a reason for the history",
      QUESTION,
      { action: "stop", reason: "it asks for secrets", response: "I do not read secrets." },
      { decision: "stop", reason: "it asks for secrets", response: "I do not read secrets." },
    ],
    [
      "on preGeneration rewrites the question: its prompt replaces it",
      QUESTION,
      { prompt: "What is in docs/?" },
      { decision: "none", prompt: "What is in docs/?" },
    ],
    [
      "on preGeneration adds context to the question, which stays as it is",
      QUESTION,
      { context: "It is Friday." },
      { decision: "none", context: "It is Friday." },
    ],
    [
      "on postToolCall adds a note after the tool's output, with the same field",
      AFTER,
      { context: "Run the tests now." },
      { decision: "none", context: "Run the tests now." },
    ],
  ])("%s", async (_statement, event, said, expected) => {
    const agent = await mmAgent({ [event.event]: [await says(kind, said)] });
    const { runs, ...outcome } = await outcomeOf(agent, event);
    expect(outcome).toEqual({ notices: [], ...expected });
    expect(runs).toMatchObject([{ event: event.event, runner: kind }]);
  });

  it("on preGeneration reads the question as input.prompt", async () => {
    const echoed = await hook(kind, {
      command: `node -e 'const input = JSON.parse(require("fs").readFileSync(0)); console.log(JSON.stringify({ prompt: input.prompt }))'`,
      wasm: echoGuest,
    });
    const prompt = 'A "quoted"\nquestion 🪝';
    const outcome = await outcomeOf(await mmAgent({ preGeneration: [echoed] }), { ...QUESTION, prompt });
    expect(outcome.prompt).toBe(prompt);
  });

  it.each([
    ["nothing at all", ""],
    ["nothing but white space", " \n"],
    ["an empty object", "{}"],
  ])("lets the turn go on with %s, on every event", async (_what, said) => {
    const silent = await says(kind, said);
    const hooks = await load(await mmAgent(Object.fromEntries(EVENTS.map(({ event }) => [event, [silent]]))));
    for (const event of EVENTS) {
      const { runs, ...outcome } = await hooks.run(event);
      expect(outcome).toEqual({ decision: "none", notices: [] });
      expect(runs).toMatchObject([{ event: event.event, decided: "nothing" }]);
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

  it.each(KINDS)("a %s hook's notice is for the user, never for the model", async (kind) => {
    const agent = await mmAgent({ postGeneration: [await says(kind, { notice: "3 files written" })] });
    const { runs, ...outcome } = await outcomeOf(agent, ANSWER);
    expect(outcome).toEqual({
      decision: "none",
      notices: [{ hook: "postGeneration[0]", kind: "info", text: "3 files written" }],
    });
    expect(runs).toHaveLength(1);
  });
});
