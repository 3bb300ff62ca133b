import { afterAll, describe, expect, test } from "vitest";
import { WasmhookError } from "#src/errors";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { inspect } from "#src/sandbox/inspect";
import { linkPlan } from "#src/sandbox/link/link-plan";
import { Sandbox } from "#src/sandbox/sandbox";
import { componentFromWat, hookComponent } from "../../support/components.js";
import { guest, logGuest } from "../../support/guests.js";
import { HANDLE_TYPE } from "../../support/handler.js";
import { NOTHING, runModule } from "../run-guest.js";
import { core, EXPORT, HOST, lift, lower, text } from "./odd-components.js";

describe("the plan of a component that a toolchain made", () => {
  test("has the core modules in the order in which they are instantiated, and what each is given", async () => {
    const { modules, steps, handler } = linkPlan(await hookComponent(logGuest));
    const memory = { from: "instance", instance: 1, name: "memory" };
    const realloc = { from: "instance", instance: 1, name: "cabi_realloc" };
    const shim = (name: string) => ({ from: "instance", instance: 0, name });
    expect(modules).toHaveLength(3);
    expect(steps).toEqual([
      { module: 0, imports: [] },
      { module: 1, imports: [{ module: "wasmhook:hook/host@1.0.0", name: "log", ref: shim("0") }] },
      {
        module: 2,
        imports: [
          {
            module: "actual",
            name: "0",
            ref: { from: "host", func: "log", text: { encoding: "utf8", memory } },
          },
          { module: "shim", name: "$imports", ref: shim("$imports") },
        ],
      },
    ]);
    expect(handler).toEqual({
      func: { from: "instance", instance: 1, name: "wasmhook:hook/handler@1.0.0#handle" },
      text: { encoding: "utf8", memory, realloc },
    });
  });

  test("is plain data, which can be sent to any worker", async () => {
    const plan = linkPlan(await hookComponent(logGuest));
    expect(structuredClone(plan)).toEqual(plan);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });
});

const GOOD = `${core("$m", guest({ handle: NOTHING }))} (core instance $main (instantiate $m))`;
const HOOK = `${GOOD} ${lift("$main")} ${EXPORT}`;
/** A good hook beside a core module that imports `wanted` and is given `given`. */
const mismatch = (wanted: string, given: string) => `
  (core module $giver ${given}) (core instance $giver (instantiate $giver))
  (core module $taker (import "g" "x" ${wanted})) (core instance (instantiate $taker (with "g" (instance $giver))))
  ${HOOK}`;
/** A good hook, of which the handler is lifted with these options. */
const liftedWith = (options: string, fields = "") =>
  `${core("$m", guest({ handle: NOTHING, fields }))} (core instance $main (instantiate $m)) ${lift("$main", options)} ${EXPORT}`;
const MEMORY = '(memory (core memory $main "memory"))';
const SHIM = `(component $shim (import "f" (func $f ${HANDLE_TYPE})) (export "f" (func $f)))`;
/** Exports as the handler what comes out of the shim, which says that it is of the handler's type. */
const SHIMMED = `(alias export $s "f" (func $shimmed)) (instance $handler (export "handle" (func $shimmed)))
  (export "wasmhook:hook/handler@1.0.0" (instance $handler))`;

const REFUSED: Record<string, [fields: string, because: string]> = {
  "a core module that is not given what it imports": [
    `(core module $x (import "a" "b" (func))) (core instance (instantiate $x)) ${HOOK}`,
    "lacks its import a b",
  ],
  "a core module that is given a thing of another name": [
    mismatch("(func)", '(func (export "y"))'),
    "lacks its import g x",
  ],
  "a function with another parameter": [
    mismatch("(func (param i32))", '(func (export "x") (param i64))'),
    "another type",
  ],
  "a function with another result": [
    mismatch("(func)", '(func (export "x") (result i32) unreachable)'),
    "another type",
  ],
  "a memory for a function": [mismatch("(func)", '(memory (export "x") 1)'), "another type"],
  "a function for a memory": [mismatch("(memory 1)", '(func (export "x"))'), "another type"],
  "a memory that is too small": [mismatch("(memory 2)", '(memory (export "x") 1)'), "another type"],
  "a memory that may grow too large": [mismatch("(memory 1 2)", '(memory (export "x") 1)'), "another type"],
  "a table that is too small": [
    mismatch("(table 2 funcref)", '(table (export "x") 1 funcref)'),
    "another type",
  ],
  "a table of other elements": [
    mismatch("(table 1 externref)", '(table (export "x") 1 funcref)'),
    "another type",
  ],
  "a global that does not change": [
    mismatch("(global (mut i32))", '(global (export "x") i32 (i32.const 0))'),
    "another type",
  ],
  "a global of another type": [
    mismatch("(global i64)", '(global (export "x") i32 (i32.const 0))'),
    "another type",
  ],
  "a tag with another parameter": [
    mismatch("(tag (param i32))", '(tag (export "x") (param i64))'),
    "another type",
  ],
  "a function of the host as one of another type": [
    `${HOST} ${GOOD} ${lower("$main")}
    (core module $x (import "host" "log" (func (param i64 externref)))) (core instance (instantiate $x (with "host" (instance $lowered))))
    ${lift("$main")} ${EXPORT}`,
    "its import host log with another type",
  ],
  "a config that is lowered without an allocator": [
    `${HOST} ${GOOD} (core func (canon lower (func $config) ${MEMORY})) ${lift("$main")} ${EXPORT}`,
    "no realloc",
  ],
  "a log that is lowered without a memory": [
    `${HOST} ${GOOD} (core func (canon lower (func $log))) ${lift("$main")} ${EXPORT}`,
    "no memory",
  ],
  "a handler without an allocator": [liftedWith(MEMORY), "no realloc"],
  "a handler without a memory": [liftedWith(""), "no memory"],
  "a handler that is a core function of another type": [
    `(core module $x (func (export "h") (param i64 i64) (result i32) unreachable)) (core instance $x (instantiate $x)) ${GOOD}
    (func $handle ${HANDLE_TYPE} (canon lift (core func $x "h") ${text("$main")})) ${EXPORT}`,
    "of handle has another type",
  ],
  "an allocator of another type": [
    liftedWith(
      `${MEMORY} (realloc (core func $main "x"))`,
      '(func (export "x") (param i32) (result i32) unreachable)',
    ),
    "its realloc has another type",
  ],
  "a post-return of another type": [
    liftedWith(
      `${text("$main")} (post-return (core func $main "x"))`,
      '(func (export "x") (result i32) unreachable)',
    ),
    "its post-return has another type",
  ],
  "an alias of what a core instance does not export": [
    `${GOOD} (alias core export $main "none" (core func)) ${lift("$main")} ${EXPORT}`,
    "exports no core func none",
  ],
  "an alias of a memory as a function": [
    `${GOOD} (alias core export $main "memory" (core func)) ${lift("$main")} ${EXPORT}`,
    "exports no core func memory",
  ],
  "an alias of what an instance was said to export, and does not": [
    `(component $c (instance $empty) (export $said "a" (instance $empty) (instance (export "f" (func))))
      (alias export $said "f" (func)))
    (instance (instantiate $c)) ${HOOK}`,
    "does not have its export f",
  ],
  "a component that is not given its import": [
    `(component $c (import "f" (func))) (instance (instantiate $c)) ${HOOK}`,
    "not given its import f",
  ],
  "a component that is given an instance for a function": [
    `(component $c (import "f" (func))) (instance $i) (instance (instantiate $c (with "f" (instance $i)))) ${HOOK}`,
    "not given its import f",
  ],
  "the host's function as the handler, by a shim that lies": [
    `${HOST} ${SHIM} (instance $s (instantiate $shim (with "f" (func $config)))) ${SHIMMED}`,
    "a function of the host is exported",
  ],
  "a function of another type as the handler, by a shim that lies": [
    `${GOOD} (func $other (param "event" (list u8)) (result (result string (error string)))
      (canon lift (core func $main "wasmhook:hook/handler@1.0.0#handle") ${text("$main")}))
    ${SHIM} (instance $s (instantiate $shim (with "f" (func $other)))) ${SHIMMED}`,
    "of another type is exported as handle",
  ],
  "a handler that was said to be there, and is not": [
    `(instance $h) (export "wasmhook:hook/handler@1.0.0" (instance $h) (instance (export "handle" (func ${HANDLE_TYPE}))))`,
    "exports no handle",
  ],
  "two arguments of the same name": [
    `(core module $a (func (export "f"))) (core instance $a (instantiate $a))
    (core module $x (import "g" "f" (func)))
    (core instance (instantiate $x (with "g" (instance $a)) (with "g" (instance $a)))) ${HOOK}`,
    "given twice",
  ],
  "two items of one name in a bag": [
    `(core module $a (func (export "f"))) (core instance $a (instantiate $a)) (alias core export $a "f" (core func $f))
    (core instance (export "g" (func $f)) (export "g" (func $f))) ${HOOK}`,
    "given twice",
  ],
  "a new handle of somebody else's resource": [
    `(type $mine (resource (rep i32)))
    (component $c (import "r" (type $r (sub resource))) (core func (canon resource.new $r)))
    (instance (instantiate $c (with "r" (type $mine)))) ${HOOK}`,
    "not its own",
  ],
  "a destructor of another type": [
    `(core module $x (func (export "d") (result i32) unreachable)) (core instance $x (instantiate $x))
    (type (resource (rep i32) (dtor (core func $x "d")))) ${HOOK}`,
    "a destructor has another type",
  ],
};

const CALLEE = `(component $callee (core module $m (func (export "f"))) (core instance $i (instantiate $m))
    (func (export "f") (canon lift (core func $i "f"))))
  (instance $callee (instantiate $callee)) (core func $f (canon lower (func $callee "f")))`;

/** What toolchains put in place of functions of WASI that must not be called. */
const STUB = CALLEE.replace('(export "f")', '(export "f") unreachable');
/** A hook that calls it for an event. */
const CALLER = `${STUB} (core instance $bag (export "f" (func $f)))
  ${core("$m", guest({ imports: '(import "c" "f" (func $f))', handle: "(call $f) unreachable" }))}
  (core instance $main (instantiate $m (with "c" (instance $bag)))) ${lift("$main")} ${EXPORT}`;

/** What the specification has, and this has not. */
const NOT_HERE: Record<string, [fields: string, because: string]> = {
  "a component that calls another": [
    `${CALLEE} (core instance $bag (export "f" (func $f)))
    (core module $x (import "c" "f" (func))) (core instance (instantiate $x (with "c" (instance $bag)))) ${HOOK}`,
    "components do not call each other",
  ],
  "a component that calls another, which does as little, and returns": [
    `${CALLEE.replace('(export "f")', '(export "f") nop')} (core instance $bag (export "f" (func $f)))
    (core module $x (import "c" "f" (func))) (core instance (instantiate $x (with "c" (instance $bag)))) ${HOOK}`,
    "components do not call each other",
  ],
  "a stub as the allocator": [
    `${STUB} ${HOST} ${GOOD}
    (core func $log' (canon lower (func $config) (memory (core memory $main "memory")) (realloc (core func $f)))) ${lift("$main")} ${EXPORT}`,
    "components do not call each other",
  ],
  "more definitions, those of each instance counted, than can be carried out at once": [
    `(component $c ${"(type u8)".repeat(2_000)}) ${"(instance (instantiate $c))".repeat(60)} ${HOOK}`,
    "100000",
  ],
};

function refusalOf(bytes: Uint8Array): WasmhookError {
  inspect(bytes);
  try {
    linkPlan(bytes);
  } catch (error) {
    if (error instanceof WasmhookError) return error;
    throw error;
  }
  throw new Error("the component was linked");
}

test("a function of another component that is lowered, and never called, is in nobody's way", async () => {
  const bytes = await componentFromWat(`(component ${CALLEE} ${HOOK})`);
  expect(linkPlan(bytes).steps).toHaveLength(2);
});

test("a function of another component that does nothing but trap is a trap", async () => {
  const sandbox = new Sandbox();
  try {
    const guest = await sandbox.load(await componentFromWat(`(component ${CALLER})`), "stub", DEFAULT_LIMITS);
    expect((await runModule(sandbox, guest)).result).toMatchObject({
      failure: {
        code: "trap",
        message: expect.stringContaining("a clock, a file or random numbers"),
        data: { trap: "unreachable" },
      },
    });
  } finally {
    await sandbox.close();
  }
});

test.each(["(param v128)", "(result v128)", "(param exnref)", "(param funcref)", "(param i32 externref)"])(
  "a stub cannot be imported as what no lowered function is: %s",
  async (type) => {
    const bytes = await componentFromWat(`(component ${STUB} (core instance $bag (export "f" (func $f)))
      (core module $x (import "c" "f" (func ${type}))) (core instance (instantiate $x (with "c" (instance $bag)))) ${HOOK})`);
    expect(refusalOf(bytes)).toMatchObject({
      code: "module-refused",
      message: expect.stringContaining("with another type"),
    });
  },
);

describe("what does not fit together is refused, though it is well-formed:", () => {
  const transpiled = new Sandbox({ linking: "transpiled" });
  afterAll(() => transpiled.close());

  test.each(Object.entries({ ...REFUSED, ...NOT_HERE }))("%s", async (_what, [fields, because]) => {
    const refusal = refusalOf(await componentFromWat(`(component ${fields})`));
    expect(refusal).toMatchObject({ code: "module-refused", data: { offset: expect.any(Number) } });
    expect(refusal.message).toContain(because);
  });

  test.each(Object.entries(REFUSED))("%s: an independent validator has it so too", async (what, [fields]) => {
    const load = transpiled.load(await componentFromWat(`(component ${fields})`), what, DEFAULT_LIMITS);
    await expect(load).rejects.toMatchObject({ code: "transpile-failed" });
  });
});
