import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadAsc } from "#src/build/asc";
import { buildHook } from "#src/build/build-hook";
import { folder } from "../support/cli.js";
import { runComponent } from "../support/run-component.js";

const HOOK = `import { Decision, Event, deny } from "wasmhook/guest";

export function handle(event: Event): Decision | null {
  return deny("no " + event.tool.name);
}
`;
const CALL = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: {} } } as const;

/** What building a source that is written beside these files comes to. */
async function buildIn(files: Record<string, string>, name = "hook.ts") {
  return buildHook(join(await folder(files), name));
}

async function failure(files: Record<string, string>, name?: string) {
  return buildIn(files, name).then(
    () => undefined,
    (error) => ({ code: error.code, message: error.message, cause: error.data.cause }),
  );
}

describe("buildHook", () => {
  it("makes a component that runs in the sandbox, without any other package beside the source", async () => {
    const { bytes, warnings } = await buildIn({ "hook.ts": HOOK });
    expect(warnings).toBe("");
    await using guest = runComponent(bytes);
    expect(await guest.run(CALL)).toMatchObject({ decision: { action: "deny", reason: "no bash" } });
  });

  it("gives the same bytes for the same source, wherever it lies", async () => {
    const first = await buildIn({ "hook.ts": HOOK });
    const second = await buildIn({ "some/where/else/hook.ts": HOOK }, "some/where/else/hook.ts");
    expect(Buffer.from(second.bytes).equals(first.bytes)).toBe(true);
  });

  it("compiles what the source imports from beside it, and from its own packages", async () => {
    const { bytes } = await buildIn(
      {
        "hooks/hook.ts": `import { Decision, Event, deny } from "wasmhook/guest";
        import { near } from "./near";
        import { above } from "../above";
        import { far } from "far";
        export function handle(event: Event): Decision | null { return deny(near + above + far); }`,
        "hooks/near.ts": 'export const near = "a";',
        "above.ts": 'export const above = "b";',
        "node_modules/far/index.ts": 'export const far = "c";',
      },
      "hooks/hook.ts",
    );
    await using guest = runComponent(bytes);
    expect(await guest.run(CALL)).toMatchObject({ decision: { reason: "abc" } });
  });

  it("uses the SDK of this package, whatever lies in the project's own node_modules", async () => {
    const { bytes } = await buildIn({
      "hook.ts": HOOK,
      "node_modules/wasmhook/guest/index.ts": "no AssemblyScript",
    });
    expect(bytes.length).toBeGreaterThan(1000);
  });

  it("says what does not compile in the compiler's words, with file, line and column", async () => {
    const broken = HOOK.replace('"no " + event.tool.name', "1");
    expect(await failure({ "hook.ts": broken })).toEqual({
      code: "build-failed",
      message: expect.stringMatching(/hook\.ts does not compile: 1 compile error/),
      cause: expect.stringMatching(
        /^ERROR TS2322: Type 'i32' is not assignable to type .*in hook\.ts\(4,15\)/s,
      ),
    });
  });

  it.each([
    ["no handle", 'import { Event } from "wasmhook/guest"; export function handel(): void {}'],
    [
      "a handle of its own kind",
      'import { Event } from "wasmhook/guest"; export function handle(event: Event): string { return "" }',
    ],
    [
      "a handle with other parameters",
      'import { Decision, Event } from "wasmhook/guest"; export function handle(a: Event, b: i32): Decision | null { return null }',
    ],
    ["a handle that is no function", 'import { Event } from "wasmhook/guest"; export const handle = 1;'],
  ])("asks for a handle where there is %s", async (_, source) => {
    const found = await failure({ "hook.ts": source });
    expect(found?.message).toMatch(
      /hook\.ts must export "function handle\(event: Event\): Decision \| null"/,
    );
    expect(found?.cause).not.toContain("wasmhook-entry");
  });

  it("does not ask for a handle where the source has errors of its own", async () => {
    const source = `${HOOK.replace("event: Event", "event: Event, more: i32")}nothing();\n`;
    const found = await failure({ "hook.ts": source });
    expect(found?.message).toMatch(/hook\.ts does not compile: 1 error\(s\)$/);
    expect(found?.cause).toMatch(/^ERROR TS2304: Cannot find name 'nothing'\..*in hook\.ts\(6,1\)\n\n$/s);
  });

  it.each([
    ["a clock", "Date.now().toString()", "env.Date.now"],
    ["random numbers", "Math.random().toString()", "env.seed"],
  ])("refuses a hook that wants %s, by name", async (_, expression, name) => {
    const found = await failure({ "hook.ts": HOOK.replace("event.tool.name", expression) });
    expect(found).toMatchObject({
      code: "build-failed",
      message: expect.stringContaining(`needs ${name}, which`),
    });
  });

  it("says that a source is missing, or is none", async () => {
    expect(await failure({})).toMatchObject({
      code: "build-failed",
      message: expect.stringMatching(/hook\.ts cannot be read/),
    });
    expect(await failure({ "hook.txt": "" }, "hook.txt")).toMatchObject({
      code: "build-failed",
      message: expect.stringMatching(/hook\.txt is no source: give a file named \*\.ts, \*\.mts, \*\.js/),
    });
  });

  it("says which import is not found", async () => {
    const found = await failure({
      "hook.ts": `import { x } from "./nowhere";\n${HOOK.replace('"no "', "x")}`,
    });
    expect(found?.cause).toMatch(/ERROR TS6054: File 'nowhere\.ts' not found\..*in hook\.ts\(1,19\)/s);
  });

  it("builds with the options of asconfig.json, which asc itself takes as well", async () => {
    const config = JSON.parse(await readFile(new URL("../../asconfig.json", import.meta.url), "utf8"));
    const { options } = (await loadAsc(".")) as unknown as { options: Record<string, unknown> };
    expect(Object.keys(config.options).filter((name) => !(name in options))).toEqual([]);
  });
});
