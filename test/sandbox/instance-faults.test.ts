import { afterAll, describe, expect, test } from "vitest";
import { Sandbox } from "#src/sandbox/sandbox";
import { echoGuest, guest, trapGuest } from "../support/guests.js";
import { codeOf, HOST, NOTHING, outputOf, runGuest } from "./run-guest.js";

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

const LOG_IMPORT = `(import ${HOST} "log" (func $log (param i32 i32 i32)))`;

function table(...entries: string[]): string {
  return `(type $plain (func)) (table 3 funcref) (elem (i32.const 0) ${entries.join(" ")})`;
}

describe("traps", () => {
  // The names are those of the official test suite's assertions.
  test.each([
    ["unreachable", "unreachable", ""],
    ["out of bounds memory access", "(drop (i32.load (i32.const -4)))", ""],
    ["out of bounds memory access", "(memory.fill (i32.const 0) (i32.const 0) (i32.const -1))", ""],
    ["integer divide by zero", "(drop (i32.div_s (i32.const 1) (i32.const 0)))", ""],
    ["integer divide by zero", "(drop (i64.rem_u (i64.const 1) (i64.const 0)))", ""],
    ["integer overflow", "(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))", ""],
    ["invalid conversion to integer", "(drop (i32.trunc_f32_s (f32.const nan)))", ""],
    ["indirect call to nothing or to another type", "(call_indirect (type $plain) (i32.const 2))", table()],
    [
      "indirect call to nothing or to another type",
      "(call_indirect (type $plain) (i32.const 0))",
      table("$answer"),
    ],
    ["out of bounds table access", "(call_indirect (type $plain) (i32.const 3))", table()],
    ["out of bounds table access", "(drop (table.get 0 (i32.const -1)))", table()],
    ["uncaught exception", "(throw $oops)", "(tag $oops)"],
  ])("%s: %s", async (kind, body, fields) => {
    const run = await runGuest(sandbox, guest({ fields, handle: `${body} ${NOTHING}` }));
    expect(run.result).toMatchObject({ failure: { code: "trap", data: { trap: kind } } });
  });

  test("a trap in a start function is the hook's trap", async () => {
    const wat = guest({ fields: "(func $start unreachable) (start $start)", handle: NOTHING });
    expect((await runGuest(sandbox, wat)).result).toMatchObject({
      failure: { data: { trap: "unreachable" } },
    });
  });

  test("a data segment outside of the memory is the hook's trap", async () => {
    const wat = guest({ fields: '(data (i32.const 65535) "ab")', handle: NOTHING });
    expect((await runGuest(sandbox, wat)).result).toMatchObject({
      failure: { code: "trap", data: { trap: "out of bounds memory access" } },
    });
  });

  test("what was logged before a trap is kept", async () => {
    const wat = guest({
      imports: LOG_IMPORT,
      handle: "(call $log (i32.const 3) (local.get $ptr) (local.get $len)) unreachable",
    });
    const run = await runGuest(sandbox, wat, { event: "last words" });
    expect([codeOf(run), run.logs]).toEqual(["trap", [{ level: "error", message: "last words" }]]);
  });

  test("a trap costs the fuel that was used until then", async () => {
    const run = await runGuest(sandbox, trapGuest);
    expect(run.fuelUsed).toBeGreaterThan(0);
    expect(run.fuelUsed).toBeLessThan(100);
  });
});

describe("values that break the contract", () => {
  const answer = (discriminant: string, ptr: string, len: string) =>
    guest({ handle: `(call $answer (i32.const ${discriminant}) (i32.const ${ptr}) (i32.const ${len}))` });
  test.each([
    ["an output that starts outside of the memory", answer("0", "0xfffffff0", "4")],
    ["an output that ends outside of the memory", answer("0", "65530", "100")],
    ["an output whose end wraps around", answer("0", "0xfffffff0", "0x20")],
    ["an output of 2 GiB", answer("0", "0", "0x80000000")],
    ["an output of 4 GiB less one byte", answer("0", "0", "0xffffffff")],
    ["an error's message outside of the memory", answer("1", "0xfffffff0", "4")],
    ["a case that is neither ok nor error", answer("2", "0", "0")],
    ["an address of the answer outside of the memory", guest({ handle: "(i32.const -8)" })],
    ["a place for the event outside of the memory", guest({ handle: NOTHING, realloc: "(i32.const -8)" })],
  ])("%s is a failure", async (_name, wat) => {
    expect(codeOf(await runGuest(sandbox, wat))).toBe("bad-output");
  });

  test.each([
    ["a truncated character", [0x61, 0xc3]],
    ["an overlong form", [0xc0, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a lone continuation byte", [0x80]],
  ])("output with %s is a failure, not a replaced character", async (_name, bytes) => {
    const data = bytes.map((byte) => `\\${byte.toString(16)}`).join("");
    const wat = guest({
      fields: `(data (i32.const 1024) "${data}")`,
      textBytes: bytes.length,
      handle: `(call $answer (i32.const 0) (i32.const 1024) (i32.const ${bytes.length}))`,
    });
    expect(codeOf(await runGuest(sandbox, wat))).toBe("bad-output");
  });

  test.each([
    ["an unknown level", "(call $log (i32.const 4) (i32.const 0) (i32.const 0))"],
    ["a message outside of the memory", "(call $log (i32.const 0) (i32.const -8) (i32.const 16))"],
    [
      "a message that is not UTF-8",
      "(i32.store8 (i32.const 8) (i32.const 255)) (call $log (i32.const 0) (i32.const 8) (i32.const 1))",
    ],
  ])("a call to the host with %s ends the guest", async (_name, call) => {
    const wat = guest({
      imports: LOG_IMPORT,
      handle: `${call} (call $log (i32.const 0) (i32.const 0) (i32.const 1)) ${NOTHING}`,
    });
    const run = await runGuest(sandbox, wat);
    expect([codeOf(run), run.logs]).toEqual(["bad-output", []]);
  });

  test("after each of these the next event is answered", async () => {
    expect(outputOf(await runGuest(sandbox, echoGuest, { event: "still here" }))).toBe("still here");
  });
});
