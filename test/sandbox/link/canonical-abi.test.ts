import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { HOST_CALL_FUEL } from "#src/sandbox/host";
import { Sandbox, type SandboxRun } from "#src/sandbox/sandbox";
import { componentFromWat, hookComponent, utf16HookComponent } from "../../support/components.js";
import { BUMP, guest } from "../../support/guests.js";
import { codeOf, HOST, NOTHING, outputOf, type RunOptions, runModule } from "../run-guest.js";
import { resource } from "./odd-components.js";

// What the Canonical ABI demands of who links, where the transpiler's glue is less strict. The rules are those of
// https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md.

const sandbox = new Sandbox({ linking: "direct" });
afterAll(() => sandbox.close());

const LOG = `(import ${HOST} "log" (func $log (param i32 i32 i32)))`;
const CONFIG = `(import ${HOST} "config" (func $config (param i32)))`;
const SAY = "(call $log (i32.const 0) (i32.const 0) (i32.const 0))";
const HANDLE = "wasmhook:hook/handler@1.0.0#handle";
const ECHO = "(call $answer (i32.const 0) (local.get $ptr) (local.get $len))";

type Encoding = "utf8" | "utf16";

function encoded(wat: string, encoding: Encoding): Promise<Uint8Array> {
  return encoding === "utf8" ? hookComponent(wat) : utf16HookComponent(wat);
}

async function run(bytes: Uint8Array, options: RunOptions = {}): Promise<SandboxRun> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const module = await sandbox.load(bytes, Buffer.from(bytes).toString("base64"), limits);
  return await runModule(sandbox, module, options);
}

const runHook = async (wat: string, options: RunOptions = {}) => await run(await hookComponent(wat), options);

/** Traps unless its allocator was called once, for so many bytes so aligned, and for nothing that was there before. */
function allocatesOnce(alignment: number, bytes: number): string {
  const asked = `(i32.or (i32.or (local.get $old) (local.get $oldLen))
    (i32.or (i32.shl (local.get $align) (i32.const 16)) (local.get $len)))`;
  return guest({
    fields: "(global $calls (mut i32) (i32.const 0)) (global $asked (mut i32) (i32.const 0))",
    realloc: `(global.set $calls (i32.add (global.get $calls) (i32.const 1))) (global.set $asked ${asked}) ${BUMP}`,
    handle: `(if (i32.ne (global.get $calls) (i32.const 1)) (then (unreachable)))
      (if (i32.ne (global.get $asked) (i32.const ${alignment * 65_536 + bytes})) (then (unreachable))) ${NOTHING}`,
  });
}

describe("text into the guest", () => {
  test.each<[Encoding, string, number, number]>([
    ["utf8", "{}", 1, 2],
    ["utf8", "é中😀", 1, 9],
    ["utf8", "", 1, 0],
    ["utf16", "{}", 2, 4],
    ["utf16", "é中😀", 2, 8],
    ["utf16", "", 2, 0],
  ])(
    "in %s, %j takes one call of the allocator, of alignment %i and %i bytes",
    async (encoding, event, alignment, bytes) => {
      const wat = allocatesOnce(alignment, bytes);
      expect(outputOf(await run(await encoded(wat, encoding), { event }))).toBe("");
    },
  );

  test.each<Encoding>(["utf8", "utf16"])(
    "in %s, half of a surrogate pair becomes U+FFFD",
    async (encoding) => {
      const module = await encoded(guest({ handle: ECHO }), encoding);
      expect(outputOf(await run(module, { event: "a\ud800b\udc00" }))).toBe("a\ufffdb\ufffd");
    },
  );

  test.each<[Encoding, string, string, string]>([
    ["utf16", "an odd address", "{}", "(i32.const 4097)"],
    ["utf16", "an address a code unit before the end", "{}", "(i32.const 65534)"],
    ["utf8", "an address beyond the memory, though there is nothing to write", "", "(i32.const 65537)"],
    ["utf16", "an address beyond the memory, though there is nothing to write", "", "(i32.const 65538)"],
    ["utf8", "-1", "{}", "(i32.const -1)"],
  ])("in %s, an allocator may not answer %s", async (encoding, _what, event, realloc) => {
    const module = await encoded(guest({ handle: NOTHING, realloc }), encoding);
    expect(codeOf(await run(module, { event }))).toBe("bad-output");
  });

  test.each<[Encoding, string, string]>([
    ["utf8", "{}", "(i32.const 65534)"],
    ["utf16", "{}", "(i32.const 65532)"],
    ["utf8", "", "(i32.const 65536)"],
    ["utf16", "", "(i32.const 65536)"],
  ])("in %s, %j may stand at the very end of the memory", async (encoding, event, realloc) => {
    const module = await encoded(guest({ handle: ECHO, realloc }), encoding);
    expect(outputOf(await run(module, { event }))).toBe(event);
  });

  test("the memory may grow, and its maker may write, while a text is on its way", async () => {
    const wat = guest({
      imports: CONFIG,
      realloc:
        "(memory.fill (i32.const 0) (i32.const 65) (i32.const 1024)) (i32.shl (memory.grow (i32.const 1)) (i32.const 16))",
      handle: `(call $config (i32.const 32))
        (call $answer (i32.const 0) (i32.load (i32.const 32)) (i32.load (i32.const 36)))`,
    });
    expect(outputOf(await runHook(wat, { config: '"é"' }))).toBe('"é"');
  });

  test.each(["33", "34", "-4", "65532"])("the config's place may not be at %s", async (address) => {
    const wat = guest({ imports: CONFIG, handle: `(call $config (i32.const ${address})) ${NOTHING}` });
    expect(codeOf(await runHook(wat))).toBe("bad-output");
  });
});

describe("what the guest answers", () => {
  test.each(["17", "18", "19", "65528", "65536", "-4"])("may not be at %s", async (address) => {
    expect(codeOf(await runHook(guest({ handle: `(i32.const ${address})` })))).toBe("bad-output");
  });

  test("may be in the last twelve bytes of the memory", async () => {
    expect(outputOf(await runHook(guest({ handle: "(i32.const 65524)" })))).toBe("");
  });

  test("is told apart by its lowest byte alone", async () => {
    const handle = "(call $answer (i32.const 0xffffff01) (i32.const 0) (i32.const 0))";
    expect(codeOf(await runHook(guest({ handle })))).toBe("guest-error");
  });

  test("may not be UTF-16 at an odd address", async () => {
    const handle = "(call $answer (i32.const 0) (i32.const 1025) (i32.const 1))";
    expect(codeOf(await run(await encoded(guest({ handle }), "utf16")))).toBe("bad-output");
  });

  test("a log line may not be of 2^28 bytes, and may be one byte shorter", async () => {
    const limits = { fuel: 1e12, memoryBytes: 300 * 1024 * 1024 };
    const log = (length: number) =>
      guest({
        imports: LOG,
        handle: `(drop (memory.grow (i32.const 4200)))
          (call $log (i32.const 0) (i32.const 1024) (i32.const ${length})) ${NOTHING}`,
      });
    expect(codeOf(await runHook(log(2 ** 28 - 1), { limits }))).toBe("ok");
    expect(codeOf(await runHook(log(2 ** 28), { limits }))).toBe("bad-output");
  });
});

describe("where the guest may not call out", () => {
  const ARMED = "(global $armed (mut i32) (i32.const 0))";
  const CANNOT_LEAVE = { failure: { code: "trap", data: { trap: "cannot leave component instance" } } };

  test.each([
    ["its allocator, for the event", guest({ imports: LOG, realloc: `${SAY} ${BUMP}`, handle: NOTHING })],
    [
      "its allocator, for the config",
      guest({
        imports: `${LOG} ${CONFIG}`,
        fields: ARMED,
        realloc: `(if (global.get $armed) (then ${SAY})) ${BUMP}`,
        handle: `(global.set $armed (i32.const 1)) (call $config (i32.const 32)) ${NOTHING}`,
      }),
    ],
    [
      "its allocator, for the config, which it asks for once more",
      guest({
        imports: CONFIG,
        realloc: `(call $config (i32.const 32)) ${BUMP}`,
        handle: `(call $config (i32.const 32)) ${NOTHING}`,
      }),
    ],
    [
      "post-return",
      guest({
        imports: LOG,
        fields: `(func (export "cabi_post_${HANDLE}") (param i32) ${SAY})`,
        handle: NOTHING,
      }),
    ],
  ])("%s: a call is the end of it, and is paid for", async (_where, wat) => {
    const run = await runHook(wat);
    expect(run.result).toMatchObject(CANNOT_LEAVE);
    expect(run.logs).toEqual([]);
    expect(run.fuelUsed).toBeGreaterThan(HOST_CALL_FUEL);
  });

  test("it cannot catch that", async () => {
    const wat = guest({ imports: LOG, realloc: `try ${SAY} catch_all end ${BUMP}`, handle: NOTHING });
    expect((await runHook(wat)).result).toMatchObject(CANNOT_LEAVE);
  });

  test("after the allocator has answered it may again", async () => {
    const wat = guest({
      imports: `${LOG} ${CONFIG}`,
      handle: `${SAY} (call $config (i32.const 32)) ${SAY} ${NOTHING}`,
    });
    expect((await runHook(wat)).logs).toHaveLength(2);
  });

  test.each([
    ["make a resource", "trap", "(drop (call $new (i32.const 1)))"],
    ["drop a resource", "trap", "(call $drop (global.get $handle))"],
    ["read a resource", "ok", "(drop (call $rep (global.get $handle)))"],
  ])("post-return that would %s comes to: %s", async (_what, code, body) => {
    const text = resource(`(global.set $handle (call $new (i32.const 7))) ${NOTHING}`, "", {
      fields: `(global $handle (mut i32) (i32.const 0)) (func (export "post") (param i32) ${body})`,
      options: '(post-return (core func $main "post"))',
    });
    expect(codeOf(await run(await componentFromWat(`(component ${text})`)))).toBe(code);
  });
});

describe("post-return", () => {
  test("is called once, with what the handler returned, when the answer was read", async () => {
    const wat = guest({
      imports: LOG,
      textBytes: 2,
      fields: `(global $calls (mut i32) (i32.const 0))
        (data (i32.const 1024) "{}")
        (func (export "cabi_post_${HANDLE}") (param i32)
          (if (i32.or (global.get $calls) (i32.ne (local.get 0) (i32.const 16))) (then unreachable))
          (global.set $calls (i32.const 1))
          (memory.fill (i32.const 0) (i32.const 255) (i32.const 65536)))`,
      handle: "(call $answer (i32.const 0) (i32.const 1024) (i32.const 2))",
    });
    expect(outputOf(await runHook(wat))).toBe("{}");
  });

  test("is not called where the answer was refused", async () => {
    const wat = guest({
      fields: `(func (export "cabi_post_${HANDLE}") (param i32) unreachable)`,
      handle: "(call $answer (i32.const 2) (i32.const 0) (i32.const 0))",
    });
    expect(codeOf(await runHook(wat))).toBe("bad-output");
  });

  test("decides over an error too: one that traps is a trap", async () => {
    const wat = guest({
      fields: `(func (export "cabi_post_${HANDLE}") (param i32) unreachable)`,
      handle: "(call $answer (i32.const 1) (i32.const 0) (i32.const 0))",
    });
    expect(codeOf(await runHook(wat))).toBe("trap");
  });
});
