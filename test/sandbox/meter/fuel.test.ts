import { describe, expect, test } from "vitest";
import { isSupported, meteredFunctions, TestTank } from "../../support/metered.js";

/** Calls the only export `f` of a module of these fields, and returns the fuel that it took. */
async function fuelOf(fields: string, ...args: number[]): Promise<number> {
  const tank = new TestTank();
  const { f } = await meteredFunctions(`(module ${fields})`, tank);
  f!(...args);
  return tank.used;
}

// Each expected figure is counted by hand: 1 at the entry of each function, 129 in a module with tags, 1 for each four
// of its locals, 1 for each instruction that is executed, but 0 for nop, drop, block, loop, end, else, return, unreachable and the marks of
// handlers, 1000 for what raises an exception, 4 and 12 for table.get and table.set.
describe("the fuel of", () => {
  test("straight code is one for each instruction and one for the entry", async () => {
    // entry, i32.const, i32.const, i32.add
    expect(await fuelOf(`(func (export "f") (result i32) (i32.add (i32.const 1) (i32.const 2)))`)).toBe(4);
  });

  test("an empty function is its entry", async () => {
    expect(await fuelOf(`(func (export "f"))`)).toBe(1);
  });

  test("locals beside the parameters is one for each four, of which a vector is two", async () => {
    const locals = (...types: string[]) =>
      `(func (export "f") (param i32 f32 f64 f64) (local ${types.join(" ")}))`;
    expect(await fuelOf(locals("i32", "i64", "f32"), 1, 2, 3, 4)).toBe(1);
    expect(await fuelOf(locals("i32", "i64", "f32", "f64"), 1, 2, 3, 4)).toBe(1 + 1);
    expect(await fuelOf(locals("v128", "i32"), 1, 2, 3, 4)).toBe(1);
    expect(await fuelOf(locals("v128", "i32", "i32", "v128", "v128", "i32"), 1, 2, 3, 4)).toBe(1 + 2);
  });

  test("nop, drop, block, loop, return and unreachable code is nothing", async () => {
    // entry, i32.const
    const body = "nop (block (loop (drop (i32.const 1)))) return (drop (i32.const 5)) unreachable";
    expect(await fuelOf(`(func (export "f") ${body})`)).toBe(2);
  });

  test("an if is that of the arm that was taken", async () => {
    const f = `(func (export "f") (param i32)
      (if (local.get 0) (then (drop (i32.const 1)) (drop (i32.const 2))) (else (drop (i32.const 3)))))`;
    // entry, local.get, if, and then two or one i32.const
    expect(await fuelOf(f, 1)).toBe(5);
    expect(await fuelOf(f, 0)).toBe(4);
  });

  test("a loop is that of its body for each turn", async () => {
    const f = `(func (export "f") (param i32) (loop
      (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))`;
    // entry, and for each turn local.get, i32.const, i32.sub, local.tee, br_if
    for (const turns of [1, 2, 1000]) expect(await fuelOf(f, turns)).toBe(1 + 5 * turns);
  });

  test("a block that is left early is what was executed before", async () => {
    const f = `(func (export "f") (param i32)
      (block (br_if 0 (local.get 0)) (drop (i32.const 1)) (drop (i32.const 2)))
      (drop (i32.const 3)))`;
    // entry, local.get, br_if, i32.const 3; two more if it is not left
    expect(await fuelOf(f, 1)).toBe(4);
    expect(await fuelOf(f, 0)).toBe(6);
  });

  test("a br_table is one, however wide", async () => {
    const f = `(func (export "f") (param i32)
      (block (block (block (br_table 0 1 2 (local.get 0)))
        (drop (i32.const 0)) (drop (i32.const 0)))
        (drop (i32.const 0)))
      )`;
    // entry, local.get, br_table, and what the label is followed by
    expect(await fuelOf(f, 0)).toBe(6);
    expect(await fuelOf(f, 1)).toBe(4);
    expect(await fuelOf(f, 2)).toBe(3);
    expect(await fuelOf(f, 99)).toBe(3);
  });

  test("a recursion is that of each call", async () => {
    const f = `(func $fac (export "f") (param i32) (result i32)
      (if (result i32) (i32.eqz (local.get 0))
        (then (i32.const 1))
        (else (i32.mul (local.get 0) (call $fac (i32.sub (local.get 0) (i32.const 1)))))))`;
    // the last: entry, local.get, i32.eqz, if, i32.const
    // each other: entry, local.get, i32.eqz, if, local.get, local.get, i32.const, i32.sub, call, i32.mul
    expect(await fuelOf(f, 0)).toBe(5);
    expect(await fuelOf(f, 10)).toBe(5 + 10 * 10);
  });

  test.each([
    ["br", "(block (br 0) DEAD)", 129 + 1],
    ["br_table", "(block (br_table 0 0 (i32.const 0)) DEAD)", 129 + 2],
    ["return", "return DEAD", 129],
    ["return_call", "(return_call $g) DEAD", 129 + 1 + 129],
    ["return_call_indirect", "(return_call_indirect (i32.const 0)) DEAD", 129 + 2 + 129],
    ["throw", "try (throw $t) DEAD catch_all end", 129 + 1000],
    ["rethrow", "try try (throw $t) catch_all rethrow 0 DEAD end catch_all end", 129 + 1000 + 1000],
  ])("code that %s skips is nothing", async (_, body, fuel) => {
    const dead = "(drop (i32.const 1)) (drop (i32.const 2))";
    const f = `(tag $t) (func $g) (table funcref (elem $g)) (func (export "f") ${body.replace("DEAD", dead)})`;
    expect(await fuelOf(f)).toBe(fuel);
  });

  test("a call through a table is one and the callee's", async () => {
    const fields = `(table funcref (elem $g)) (func $g (drop (i32.const 1)))
      (func (export "f") (call_indirect (i32.const 0)))`;
    // entry, i32.const, call_indirect; entry, i32.const
    expect(await fuelOf(fields)).toBe(5);
  });

  test("a call of the host is one", async () => {
    const tank = new TestTank();
    const wat = `(module (import "host" "h" (func $h)) (func (export "f") (call $h)))`;
    const { f } = await meteredFunctions(wat, tank, { host: { h: () => {} } });
    f!();
    expect(tank.used).toBe(2);
  });

  test("tail calls is one and the callee's each", async () => {
    const f = `(type $t (func (param i32))) (table funcref (elem $g))
      (func $g (type $t) (if (local.get 0) (then
        (return_call $f (i32.sub (local.get 0) (i32.const 1))))))
      (func $f (export "f") (type $t) (return_call_indirect (type $t) (local.get 0) (i32.const 0)))`;
    // f: entry, local.get, i32.const, return_call_indirect; g: entry, local.get, if
    // each further turn: local.get, i32.const, i32.sub, return_call, then f and g
    expect(await fuelOf(f, 0)).toBe(7);
    expect(await fuelOf(f, 100_000)).toBe(7 + 100_000 * 11);
  });

  test("blocks with several values is that of their instructions", async () => {
    const f = `(func (export "f") (result i32 i64)
      (block (result i32 i64) (i32.const 1) (i64.const 2) (br 0)))`;
    // entry, i32.const, i64.const, br
    expect(await fuelOf(f)).toBe(4);
  });

  test("references and tables is that of each instruction", async () => {
    const f = `(table 4 funcref) (elem declare func $g) (func $g)
      (func (export "f")
        (table.set (i32.const 1) (ref.func $g))
        (drop (ref.is_null (table.get (i32.const 1))))
        (drop (table.size)) (drop (ref.is_null (ref.null func))))`;
    // entry; i32.const, ref.func, table.set; i32.const, table.get, ref.is_null; table.size; ref.null, ref.is_null
    expect(await fuelOf(f)).toBe(1 + (2 + 12) + (2 + 4) + 1 + 2);
  });

  test("vectors is one for each instruction", async () => {
    const f = `(func (export "f") (result i32)
      (i32x4.extract_lane 2 (i32x4.add (v128.const i32x4 1 2 3 4) (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
        (v128.const i64x2 5 6) (v128.const i64x2 7 8)))))`;
    // entry, 3 v128.const, shuffle, add, extract_lane
    expect(await fuelOf(f)).toBe(7);
  });

  test("a start function is paid when the module is instantiated", async () => {
    const tank = new TestTank();
    await meteredFunctions("(module (func $s (drop (i32.const 1))) (start $s))", tank);
    expect(tank.used).toBe(2);
  });

  test.each([
    // entry, call, i32.const, br_if, i32.const, local.get, i32.div_u, and the two after it, which never ran
    ["what it was when the guest called out for the last time", "(call $h)", 9],
    ["all of it as the guest was entered, if it never called out", "", 0],
  ])("a run that an instruction traps is %s", async (_, before, used) => {
    const tank = new TestTank();
    const wat = `(module (import "host" "h" (func $h)) (func (export "f") (param i32)
      ${before} (block (br_if 0 (i32.const 0)))
      (drop (i32.div_u (i32.const 1) (local.get 0))) (drop (i32.const 1)) (drop (i32.const 1))))`;
    const { f } = await meteredFunctions(wat, tank, { host: { h: () => {} } });
    expect(() => f!(0)).toThrow("divide by zero");
    expect(tank.used).toBe(used);
  });

  test("a run that ends at an unreachable is that of its charges", async () => {
    const tank = new TestTank();
    const { f } = await meteredFunctions(
      `(module (func (export "f") (drop (i32.const 1)) unreachable))`,
      tank,
    );
    expect(f).toThrow("unreachable");
    expect(tank.used).toBe(2);
  });
});

describe("the fuel of legacy exceptions is", () => {
  const throwing = `(tag $t (param i32)) (func $g (param i32) (if (local.get 0) (then (throw $t (local.get 0)))))
    (func (export "f") (param i32)
      try (result i32)
        (call $g (local.get 0)) (i32.const 5)
      catch $t
        (i32.add (i32.const 1))
      catch_all
        (i32.const 7)
      end
      drop)`;

  test("that of what ran, without a throw", async () => {
    // f: entry, local.get, call, i32.const; g: entry, local.get, if
    expect(await fuelOf(throwing, 0)).toBe(129 + 3 + 129 + 2);
  });

  test("that of what ran up to the throw and of the handler", async () => {
    // f: entry, local.get, call, i32.const 1, i32.add; g: entry, local.get, if, local.get, throw
    expect(await fuelOf(throwing, 1)).toBe(129 + 4 + 129 + 3 + 1000);
  });

  test("that of what follows a delegate, also where a branch leads there", async () => {
    const f = `(func (export "f") (param i32)
      try (br_if 0 (local.get 0)) (drop (i32.const 1)) delegate 0
      (drop (i32.const 2)) (drop (i32.const 3)))`;
    // entry, local.get, br_if, i32.const 2, i32.const 3; and i32.const 1 without the branch
    expect(await fuelOf(f, 1)).toBe(5);
    expect(await fuelOf(f, 0)).toBe(6);
  });

  test("that of each handler on the way, for delegate and rethrow", async () => {
    const f = `(tag $t) (func (export "f")
      try
        try
          try (throw $t) delegate 0
        catch_all
          (drop (i32.const 1)) (rethrow 0)
        end
      catch_all
        (drop (i32.const 1)) (drop (i32.const 1))
      end)`;
    // entry, throw, i32.const, rethrow, i32.const, i32.const
    expect(await fuelOf(f)).toBe(129 + 1000 + 1 + 1000 + 2);
  });
});

const tryTable = `(tag $t (param i32)) (func $g (param i32) (if (local.get 0) (then (throw $t (local.get 0)))))
  (func (export "f") (param i32)
    (block $all
      (block $caught (result i32)
        (try_table (catch $t $caught) (catch_all $all) (call $g (local.get 0)) (drop (i32.const 5)))
        (i32.const 9))
      (drop (i32.add (i32.const 1)))))`;
const hasTryTable = await isSupported(`(module ${tryTable})`);
if (!hasTryTable) process.stdout.write("skipped: this engine has no try_table, its fuel is not tested\n");

describe.skipIf(!hasTryTable)("the fuel of try_table is", () => {
  test("that of what ran, without a throw", async () => {
    // f: entry, local.get, call, i32.const 5, i32.const 9, i32.const 1, i32.add; g: entry, local.get, if
    expect(await fuelOf(tryTable, 0)).toBe(129 + 6 + 129 + 2);
  });

  test("that of what ran up to the throw and after the label", async () => {
    // f: entry, local.get, call, i32.const 1, i32.add; g: entry, local.get, if, local.get, throw
    expect(await fuelOf(tryTable, 1)).toBe(129 + 4 + 129 + 3 + 1000);
  });

  test("that of throw_ref as well", async () => {
    const f = `(tag $t) (func (export "f")
      (block $out
        (try_table (catch_all $out)
          (block $ref (result exnref)
            (try_table (catch_all_ref $ref) (throw $t))
            (ref.null exn))
          (throw_ref) (drop (i32.const 1)))))`;
    // entry, throw, throw_ref
    expect(await fuelOf(f)).toBe(129 + 1000 + 1000);
  });
});
