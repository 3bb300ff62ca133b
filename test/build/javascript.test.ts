import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildHook } from "#src/build/build-hook";
import type { HookEvent } from "#src/hooks/event";
import { inspect } from "#src/sandbox/inspect";
import { folder } from "../support/cli.js";
import { runComponent, type Settings } from "../support/run-component.js";

const CALL: HookEvent = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: { command: "ls" } } };

/** What a source that is written beside these files answers. */
async function answer(files: Record<string, string>, settings: Settings = {}, event = CALL) {
  const [name = ""] = Object.keys(files);
  const { bytes } = await buildHook(join(await folder(files), name));
  await using guest = runComponent(bytes);
  return await guest.run(event, settings);
}

async function failure(source: string, name = "hook.ts") {
  return buildHook(join(await folder({ [name]: source }), name)).then(
    () => undefined,
    (error) => ({ code: error.code, message: error.message, cause: error.data.cause }),
  );
}

/** The body of a hook's handle. */
const handle = (body: string) => ({ "hook.js": `export function handle(event) { ${body} }` });

describe("a hook in JavaScript or TypeScript", () => {
  it("gets the event as an object, and gives its decision as one", async () => {
    const source = `import type { PreToolCallDecision, TypedEvent } from "wasmhook/types";
      enum Word { No = "no" }
      export function handle(event: TypedEvent): PreToolCallDecision {
        if (event.event !== "preToolCall") return {};
        return { action: "deny", reason: \`\${Word.No} \${event.tool.input.command as string} «é»\` };
      }`;
    expect(await answer({ "hook.ts": source })).toMatchObject({
      decision: { action: "deny", reason: "no ls «é»" },
    });
  });

  it("is a component that imports the host and nothing else", async () => {
    const { bytes } = await buildHook(join(await folder(handle("return null;")), "hook.js"));
    expect(inspect(bytes)).toMatchObject({ kind: "hook" });
    expect(Buffer.from(bytes).includes("local:init")).toBe(true);
  });

  it.each(["return null;", "", "return {};"])("has no opinion where its handle is %j", async (body) => {
    expect(await answer(handle(body))).toMatchObject({ decision: {} });
  });

  it("takes in what it imports, from beside it and from packages", async () => {
    const files = {
      "hooks/hook.ts": `import { near } from "./near.js"; import { above } from "../above"; import far from "far";
        export const handle = () => ({ notice: near + above + far });`,
      "hooks/near.ts": 'export const near: string = "a";',
      "above.js": 'export const above = "b";',
      "node_modules/far/package.json": '{"name":"far","module":"far.mjs"}',
      "node_modules/far/far.mjs": 'export default "c";',
    };
    expect(await answer(files)).toMatchObject({ decision: { notice: "abc" } });
  });

  it("reads its config and writes to the log, by console too", async () => {
    const source = `import { config, log } from "wasmhook/hook";
      export function handle() { log.warn(config().word); console.log("b", 1, { c: [2] }, new Error("d")); console.error("e"); }`;
    expect(await answer({ "hook.js": source }, { config: { word: "ä" } })).toMatchObject({
      decision: {},
      logs: [
        { level: "warn", message: "ä" },
        { level: "info", message: 'b 1 {"c":[2]} Error: d' },
        { level: "error", message: "e" },
      ],
    });
  });

  it.each([
    ["throw new TypeError('because');", "the hook says: TypeError: because"],
    ["throw 'because';", "the hook says: because"],
    ["return event.no.such;", "the hook says: TypeError: "],
    ["return Promise.resolve({});", "without async"],
    ["return () => 1;", "handle gave a function"],
  ])("fails with the message of what it throws: %s", async (body, says) => {
    expect(await answer(handle(body))).toMatchObject({
      failure: { code: "guest-error", message: expect.stringContaining(says) },
    });
  });

  it("fails where it asks for the time, of which it is told what it lacks", async () => {
    expect(await answer(handle("return { notice: String(Date.now()) };"))).toMatchObject({
      failure: { code: "trap", message: expect.stringContaining("such as a clock") },
    });
  });

  it.each([
    ["for (;;) {}", "out-of-fuel"],
    ["const f = (n) => f(n + 1) + 1; return f(0);", "stack-exhausted"],
  ])("is stopped by the same limits as any hook: %s", async (body, code) => {
    expect(await answer(handle(body))).toMatchObject({ failure: { code } });
  });

  it("starts every event from where its top level left it", async () => {
    const { bytes } = await buildHook(
      join(
        await folder({ "hook.js": "let n = 41; export const handle = () => ({ notice: String(++n) });" }),
        "hook.js",
      ),
    );
    await using guest = runComponent(bytes);
    const first = await guest.run(CALL);
    expect(first).toMatchObject({ decision: { notice: "42" } });
    expect(await guest.run(CALL)).toMatchObject({ decision: { notice: "42" }, fuel: first.fuel });
  });
});

describe("a source that makes no hook", () => {
  it.each([
    [
      "exports no handle",
      "export function handel() {}",
      /hook\.ts must export "function handle\(event\)"/,
      /^$/,
    ],
    ["is not well-formed", "export function handle( {", /does not compile: 1 error/, /hook\.ts:1:/],
    [
      "imports what is not there",
      'import "node:fs"; export function handle() {}',
      /does not compile: 1 error/,
      /^(?!.*platform).*Could not resolve "node:fs"/s,
    ],
    [
      "throws at its top level",
      'throw new Error("early"); export function handle() {}',
      /fails while its top level runs: Error: early$/,
      /^Error: early$/,
    ],
    [
      "has a handle that is no function",
      "export const handle = 1;",
      /fails while its top level runs: Error: handle is no function$/,
      /./,
    ],
    [
      "logs at its top level",
      'console.log("x"); export function handle() {}',
      /fails while its top level runs: it calls log or config, which are there while handle runs$/,
      /./,
    ],
  ])("is refused, as it %s", async (_, source, message, cause) => {
    expect(await failure(source)).toEqual({
      code: "build-failed",
      message: expect.stringMatching(message),
      cause: expect.stringMatching(cause),
    });
  });
});
