import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import type { CoreModule } from "#src/sandbox/core-instance";
import { HOST_CALL_FUEL } from "#src/sandbox/host";
import { type Guest, type GuestReport, runGuest } from "#src/sandbox/instance";
import { meterModule } from "#src/sandbox/meter";

/**
 * A guest that is one core module, over glue of our own: the transpiler takes no handlers of the kind that
 * every engine here has, and what must not be catchable is the host's work, not the transpiler's.
 */
async function guestOf(handle: string, host: () => void, swallows = false): Promise<Guest> {
  const wat = `(module
    (import "host" "call" (func $call))
    (func $deeper (call $deeper) (nop))
    (func $deeper-host (call $call) (call $deeper-host) (nop))
    (func (export "handle") ${handle}))`;
  const { bytes } = meterModule(await parse(wat), { memoryPages: 1, tableElements: 0 });
  const core: CoreModule = {
    module: new WebAssembly.Module(bytes),
    minimum: { pages: 0, elements: 0 },
  };
  return {
    cores: new Map([["core", core]]),
    glue: () => (getCoreModule, _imports, instantiateCore) => {
      const { exports } = instantiateCore(getCoreModule("core"), { host: { call: host } });
      return {
        handler: {
          handle: () => {
            try {
              (exports.handle as () => void)();
            } catch (error) {
              if (!swallows) throw error;
            }
            return "the guest went on";
          },
        },
      };
    },
  };
}

async function run(
  handle: string,
  host = () => {},
  { fuel = 1_000_000, swallows = false } = {},
): Promise<GuestReport> {
  const limits = { ...DEFAULT_LIMITS, fuel };
  return runGuest(await guestOf(handle, host, swallows), { event: "", config: "null", limits });
}

function swallowing(body: string): string {
  return `try ${body} catch_all end`;
}

function codeOf({ result }: GuestReport): string {
  return "ok" in result ? result.ok : "failure" in result ? result.failure.code : "a command";
}

describe("what a guest's own handlers cannot catch", () => {
  test("they do catch what the guest itself throws", async () => {
    const wat = `(module (tag $oops) (func (export "handle") ${swallowing("(throw $oops)")}))`;
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(await parse(wat)));
    expect(exports.handle as () => void).not.toThrow();
  });

  test("they catch what JavaScript throws, which is why the host never does", async () => {
    const wat = `(module
      (import "host" "call" (func $call))
      (func (export "handle") ${swallowing("(call $call)")}))`;
    const call = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(await parse(wat)), {
      host: { call },
    });
    expect(exports.handle as () => void).not.toThrow();
  });

  test("the end of the fuel in the guest's code", async () => {
    expect(codeOf(await run(swallowing("(loop $again (br $again))")))).toBe("out-of-fuel");
  });

  test("the end of the fuel, tried again and again", async () => {
    const again = `(loop $again ${swallowing("(loop $inner (br $inner))")} (br $again))`;
    expect(codeOf(await run(again))).toBe("out-of-fuel");
  });

  test("the end of the fuel in a call to the host", async () => {
    let calls = 0;
    const again = `(loop $again ${swallowing("(call $call)")} (br $again))`;
    const report = await run(again, () => void calls++, { fuel: 3 * HOST_CALL_FUEL });
    expect([codeOf(report), calls]).toEqual(["out-of-fuel", 2]);
  });

  test.each([
    ["an error", () => new TypeError("invalid discriminant")],
    ["an error that pretends to be a trap", () => new WebAssembly.RuntimeError("unreachable")],
    ["what is no error", () => null],
  ])("%s that is thrown in a call to the host", async (_name, thrown) => {
    let calls = 0;
    const host = () => {
      calls++;
      throw thrown();
    };
    const report = await run(`${swallowing("(call $call)")} ${swallowing("(call $call)")}`, host);
    expect([codeOf(report), calls]).toEqual([expect.not.stringContaining("went on"), 1]);
  });

  test("the end of the stack", async () => {
    expect(codeOf(await run(swallowing("(call $deeper)")))).toBe("stack-exhausted");
  });

  test("the end of the stack in a call to the host", async () => {
    const fuel = 1_000_000_000_000;
    expect(codeOf(await run(swallowing("(call $deeper-host)"), () => {}, { fuel }))).toBe("stack-exhausted");
  });

  test.each([
    ["the end of the fuel", "(loop $again (br $again))", "out-of-fuel"],
    ["the end of the stack", "(call $deeper)", "stack-exhausted"],
    ["an error in a call to the host", "(call $call)", "bad-output"],
  ])("%s, though the glue swallowed the trap and the handler returned", async (_what, handle, code) => {
    const host = () => {
      throw new TypeError("invalid discriminant");
    };
    expect(codeOf(await run(handle, host, { swallows: true }))).toBe(code);
  });
});
