import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { glueExpression } from "#src/sandbox/glue";
import { Loader } from "#src/sandbox/loader";
import { Sandbox } from "#src/sandbox/sandbox";
import { sayingCommand } from "../support/commands.js";
import { componentFromWat, hookComponent } from "../support/components.js";
import { echoGuest, guest } from "../support/guests.js";
import { NOTHING, outputOf, runModule } from "./run-guest.js";

const CAPS = { memoryPages: 1024, tableElements: 1000 };
let loader = new Loader("transpiled");
afterEach(async () => {
  await loader.close();
  loader = new Loader("transpiled");
});

/** A component whose code section holds an instruction that does not type-check. */
async function invalidComponent(): Promise<Uint8Array> {
  const bytes = await hookComponent(guest({ fields: "(func i64.const 7 drop)", handle: NOTHING }));
  // `i64.const 7; drop` with its `drop` made a `nop` leaves a value behind.
  const at = bytes.findIndex((_, i) => bytes[i] === 0x42 && bytes[i + 1] === 7 && bytes[i + 2] === 0x1a);
  bytes[at + 2] = 0x01;
  return bytes;
}

describe("transpiling", () => {
  test("a command needs none, and runs as it does otherwise", async () => {
    const bytes = await componentFromWat(sayingCommand({ stdout: "{}", stderr: "é", exitCode: 2 }));
    const runs = (["transpiled", "direct"] as const).map(async (linking) => {
      const sandbox = new Sandbox({ linking });
      const module = await sandbox.load(bytes, linking, DEFAULT_LIMITS);
      const { durationMs: _, ...run } = await runModule(sandbox, module);
      await sandbox.close();
      return run;
    });
    const [transpiled, direct] = await Promise.all(runs);
    expect(transpiled).toEqual(direct);
    expect(direct?.result).toMatchObject({ exit: { exitCode: 2, stdout: "{}", stderr: "é" } });
  });

  test("a component becomes glue and compiled core modules", async () => {
    const component = await loader.prepare({ bytes: await hookComponent(echoGuest), caps: CAPS });
    expect(component).toMatchObject({ glue: expect.stringMatching(/^\(function \(realm\)/) });
    const { cores } = component;
    expect(cores.length).toBeGreaterThan(0);
    for (const { module } of cores) expect(module).toBeInstanceOf(WebAssembly.Module);
    expect(cores.some(({ minimum }) => minimum.pages === 1)).toBe(true);
  });

  test("every core module counts its fuel, those that the transpiler adds included", async () => {
    const { logGuest } = await import("../support/guests.js");
    const { cores } = await loader.prepare({ bytes: await hookComponent(logGuest), caps: CAPS });
    expect(cores.length).toBeGreaterThan(1);
    for (const { module } of cores) {
      expect(WebAssembly.Module.imports(module).map(({ module: from }) => from)).toContain("wasmhook:meter");
    }
  });

  test("what is refused says why, and the next component is prepared", async () => {
    const refused = loader.prepare({ bytes: await invalidComponent(), caps: CAPS });
    await expect(refused).rejects.toMatchObject({
      code: expect.stringMatching(/^(transpile-failed|module-refused)$/),
    });
    const next = await loader.prepare({ bytes: await hookComponent(echoGuest), caps: CAPS });
    expect(next.cores.length).toBeGreaterThan(0);
  });

  test.each([
    ["a core module", new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), "core-module"],
    ["text", new TextEncoder().encode("(module)"), "module-refused"],
  ])("%s is refused by the inspection, before it is transpiled", async (_name, bytes, code) => {
    await expect(loader.prepare({ bytes, caps: CAPS })).rejects.toMatchObject({ code });
  });

  test("more memory at the start than the cap is refused at load", async () => {
    const bytes = await hookComponent(guest({ handle: NOTHING, textBytes: 65_536 * 3 }));
    await expect(loader.prepare({ bytes, caps: { ...CAPS, memoryPages: 3 } })).rejects.toMatchObject({
      code: "module-refused",
      data: { limit: "memoryPages" },
    });
  });

  test("several components at once are prepared one after the other", async () => {
    const components = await Promise.all(
      ["a", "b", "c"].map((text) =>
        hookComponent(
          guest({
            fields: `(data (i32.const 1024) "${text}")`,
            textBytes: 1,
            handle: "(call $answer (i32.const 0) (i32.const 1024) (i32.const 1))",
          }),
        ),
      ),
    );
    await using sandbox = disposable(new Sandbox({ linking: "transpiled" }));
    const modules = await Promise.all(
      components.map((bytes, i) => sandbox.it.load(bytes, `${i}`, DEFAULT_LIMITS)),
    );
    const request = { event: "", config: "", limits: DEFAULT_LIMITS };
    const runs = await Promise.all(modules.map((module) => sandbox.it.run(module, request)));
    expect(runs.map(outputOf)).toEqual(["a", "b", "c"]);
  });

  test("after closing, nothing is prepared", async () => {
    const under = loader.prepare({ bytes: await hookComponent(echoGuest), caps: CAPS });
    const outcome = expect(under).rejects.toMatchObject({ code: "closed" });
    await loader.close();
    await outcome;
    await expect(loader.prepare({ bytes: new Uint8Array(), caps: CAPS })).rejects.toMatchObject({
      code: "closed",
    });
  });
});

describe("the glue's text", () => {
  test("what is not the form that the transpiler writes is refused", () => {
    for (const text of [
      "",
      "export function instantiate() {}",
      '"use components";\nexport function instantiate(',
    ]) {
      expect(() => glueExpression(text)).toThrow(/unknown form/);
    }
  });
});

function disposable(it: Sandbox): { it: Sandbox } & AsyncDisposable {
  return { it, [Symbol.asyncDispose]: () => it.close() };
}
