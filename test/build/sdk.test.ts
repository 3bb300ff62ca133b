import { describe, expect, it, onTestFinished } from "vitest";
import type { HookEvent } from "#src/hooks/event";
import type { Answer } from "#src/runners/runner";
import { buildText } from "../support/assemblyscript.js";
import { runComponent, type Settings } from "../support/run-component.js";

const IMPORTS = `import { Decision, Event, Json, Kind, allow, ask, config, context, deny, fail, log, notice,
  rewriteInput, rewritePrompt, stop } from "wasmhook/guest";
`;

/** The bodies of `handle` of all tests, which are compiled together: the event says which one runs. */
const bodies: string[] = [];
let built: Promise<Uint8Array> | undefined;

/** Adds a body while tests are collected. @returns what runs it in a test */
function handler(body: string): (event?: HookEvent, settings?: Settings) => Promise<Answer> {
  const index = bodies.push(body) - 1;
  return async (event = CALL, settings = {}) => {
    built ??= buildText(`${IMPORTS}
      export function handle(event: Event): Decision | null {
        const body = <i32>event.json.get("body").integer();
        ${bodies.map((_, i) => `if (body == ${i}) return body${i}(event);`).join("\n")}
        return fail("no such body");
      }
      ${bodies.map((text, i) => `function body${i}(event: Event): Decision | null { ${text} }`).join("\n")}`);
    const guest = runComponent(await built);
    onTestFinished(() => guest[Symbol.asyncDispose]());
    return guest.run({ ...event, body: index }, settings);
  };
}

/** What expressions, all of them strings, come to. */
function texts(...expressions: string[]) {
  const lines = expressions.map((expression) => `all.push(Json.string(${expression}));`).join("\n");
  const run = handler(`const all = Json.array(); ${lines} return notice(all.stringify());`);
  return async (event?: HookEvent, settings?: Settings): Promise<string[]> => {
    const answer = await run(event, settings);
    if ("failure" in answer) throw answer.failure;
    return JSON.parse(answer.decision.notice ?? "");
  };
}

const CALL: HookEvent = {
  event: "preToolCall",
  cwd: "/work",
  session: "s1",
  agent: "mm",
  tool: { name: "bash", input: { command: "ls", deep: { list: [1, "two", null, true] } } },
};
const PROMPT: HookEvent = { event: "preGeneration", cwd: "/", prompt: "p" };

describe("an event in AssemblyScript", () => {
  const call = texts(
    "event.moment",
    "event.cwd",
    "event.session",
    "event.agent",
    "event.tool.name",
    'event.tool.input.get("command").string()',
    "event.tool.output",
    "event.prompt",
    'event.json.get("extra").get("b").string()',
  );
  it("has the fields of a tool call, and the agent's own", async () => {
    const read = await call({ ...CALL, extra: { b: "more" } });
    expect(read).toEqual(["preToolCall", "/work", "s1", "mm", "bash", "ls", "", "", "more"]);
  });

  const end = texts("event.prompt", "event.response", "event.tool.name");
  it("has the prompt and the response after a turn", async () => {
    const event: HookEvent = { event: "postGeneration", cwd: "/", prompt: "p", response: "r" };
    expect(await end(event)).toEqual(["p", "r", ""]);
  });

  const afterCall = texts("event.tool.error", "event.tool.output");
  it("has what came of a tool call", async () => {
    const tool = { name: "x", input: {} };
    expect(await afterCall({ event: "postToolCall", cwd: "/", tool: { ...tool, error: "e" } })).toEqual([
      "e",
      "",
    ]);
    expect(await afterCall({ event: "postToolCall", cwd: "/", tool: { ...tool, output: "o" } })).toEqual([
      "",
      "o",
    ]);
  });
});

describe("a JSON value in AssemblyScript", () => {
  const list = 'event.tool.input.get("deep").get("list")';
  const lookups = texts(
    `${list}.at(9).get("x").at(-1).string("none")`,
    `${list}.at(0).string("no string")`,
    `${list}.at(1).number().toString()`,
    `${list}.at(1).integer(7).toString()`,
    `${list}.at(0).boolean(true).toString()`,
    `${list}.at(3).boolean().toString()`,
    `${list}.strings().join()`,
    `event.tool.input.get("command").strings().join()`,
    `(${list}.at(2).kind == Kind.Null).toString()`,
    `event.tool.input.has("nothing").toString()`,
  );
  it("can be looked up where it is not, and asked for what it is not", async () => {
    expect(await lookups()).toEqual([
      "none",
      "no string",
      "NaN",
      "7",
      "true",
      "true",
      "two",
      "ls",
      "true",
      "false",
    ]);
  });

  const numbers = texts(
    'Json.parse("[1.5e3]")!.at(0).number().toString()',
    'Json.parse("9007199254740993")!.integer().toString()',
    'Json.parse("9223372036854775808")!.integer(-1).toString()',
    'Json.parse("1.0")!.integer(-1).toString()',
    "Json.integer(-9007199254740993).stringify()",
    "Json.number(3).stringify()",
    "Json.number(0.25).stringify()",
    "Json.number(NaN).stringify()",
  );
  it("reads and makes numbers", async () => {
    const integer = "9007199254740993";
    expect(await numbers()).toEqual(["1500.0", integer, "-1", "-1", `-${integer}`, "3", "0.25", "null"]);
  });

  const changes = texts(
    'Json.parse(\'{"a":1,"b":2}\')!.set("a", Json.string("x")).set("c", Json.null()).stringify()',
    'Json.parse(\'{"a":1,"b":2}\')!.set("a", Json.missing()).stringify()',
    'Json.parse("[1,2]")!.setAt(1, Json.boolean(false)).setAt(9, Json.null()).push(Json.object()).stringify()',
    'Json.string("x").set("a", Json.null()).push(Json.null()).setAt(0, Json.null()).stringify()',
  );
  it("can be changed where it is an object or an array", async () => {
    expect(await changes()).toEqual(['{"a":"x","b":2,"c":null}', '{"b":2}', "[1,false,{}]", '"x"']);
  });

  const rewritten = texts('event.tool.input.set("s", Json.string("u")).stringify()');
  it("keeps the numbers beside what is changed as they are", async () => {
    const input = { a: { n: 1.5e300, m: 0.1 }, s: "t" };
    expect(await rewritten({ ...CALL, tool: { name: "x", input } })).toEqual([
      '{"a":{"n":1.5e+300,"m":0.1},"s":"u"}',
    ]);
  });
});

describe("a decision in AssemblyScript", () => {
  const DECISIONS: [string, object, HookEvent?][] = [
    ["null", {}],
    ["new Decision()", {}],
    ['deny("no")', { action: "deny", reason: "no" }],
    ["allow()", { action: "allow" }],
    ['ask("sure?").notice("look")', { action: "ask", reason: "sure?", notice: "look" }],
    ['context("a").notice("b")', { context: "a", notice: "b" }],
    ['rewriteInput(Json.object().set("x", Json.integer(1))).allow()', { input: { x: 1 }, action: "allow" }],
    ['stop("why", "read this")', { action: "stop", reason: "why", response: "read this" }, PROMPT],
    ['stop("why")', { action: "stop", reason: "why" }, PROMPT],
    ['rewritePrompt("é\\ud800")', { prompt: "é\ud800" }, PROMPT],
  ];
  for (const [expression, decision, event] of DECISIONS) {
    const run = handler(`return ${expression};`);
    it(`is made by ${expression}`, async () => {
      expect(await run(event)).toMatchObject({ decision });
    });
  }

  const failing = handler('return deny("x").fail("no list in config");');
  const noObject = handler("return rewriteInput(Json.array());");
  it("may be that the hook failed", async () => {
    const failure = { code: "guest-error", data: { guestMessage: "no list in config" } };
    expect(await failing()).toMatchObject({ failure });
    expect(await noObject()).toMatchObject({ failure: { code: "guest-error" } });
  });

  const trapping = handler("return deny([1, 2][event.cwd.length].toString());");
  it("is none after a fault, of which the log says where it was", async () => {
    const answer = await trapping();
    expect(answer).toMatchObject({ failure: { code: "trap" } });
    expect(answer.logs).toEqual([{ level: "error", message: expect.stringContaining("~lib/array.ts:") }]);
  });
});

describe("the host in AssemblyScript", () => {
  it("gives the config and takes log lines, as soon as the module starts", async () => {
    const bytes = await buildText(`${IMPORTS}
      const names = config().get("names").strings();
      log.debug("read");
      export function handle(event: Event): Decision | null {
        log.info("");
        log.warn(names.join());
        log.error("\\ud800");
        return null;
      }`);
    await using guest = runComponent(bytes);
    const { logs } = await guest.run(CALL, { config: { names: ["a", "é"] } });
    expect(logs).toEqual([
      { level: "debug", message: "read" },
      { level: "info", message: "" },
      { level: "warn", message: "a,é" },
      { level: "error", message: "\\ud800" },
    ]);
  });

  const none = texts("config().stringify()", 'config().get("x").string("none")');
  it("gives null where the hook has no config", async () => {
    expect(await none()).toEqual(["null", "none"]);
  });
});
