import type { ModuleLimit } from "#src/hooks/module-limits";
import { componentFromWat } from "../../support/components.js";
import { handlerText } from "../../support/handler.js";

/** A component with a handler and these fields. */
export function withHandler(fields: string): Promise<Uint8Array> {
  return componentFromWat(`(component ${handlerText()} ${fields})`);
}

/** A component that has exactly this figure, what its handler needs included. */
export const CASES: [ModuleLimit, figure: number, fields: string][] = [
  ["nameBytes", 60, `(type (record (field "${"a".repeat(60)}" u8)))`],
  ["componentDepth", 3, "(component (component))"],
  ["componentSections", 9, "(component)"],
  ["components", 3, "(component (component))"],
  ["componentInstances", 2, "(component $c) (instance (instantiate $c)) (instance (instantiate $c))"],
  ["componentTypes", 4, "(type u8) (type u16)"],
  [
    "canons",
    2,
    '(canon lower (func $f) (memory (core memory $i "memory")) (realloc (core func $i "realloc")) (core func))',
  ],
  ["aliases", 5, '(alias core export $i "handle" (core func)) (alias core export $i "memory" (core memory))'],
  ["coreModules", 3, "(core module) (component (core module))"],
  ["coreInstances", 3, "(core module $x) (core instance (instantiate $x)) (core instance)"],
  [
    "moduleInstances",
    3,
    "(core module $x) (core instance (instantiate $x)) (core instance (instantiate $x)) (core instance (instantiate $x))",
  ],
  ["types", 4, "(core module (type (func)) (type (func (param i32))))"],
  ["typeSectionBytes", 40, `(core module (type (func (param ${"i32 ".repeat(36)}))))`],
  ["sections", 7, "(core module (type (func)))"],
  ["imports", 2, '(core module (import "a" "b" (func)) (import "a" "c" (memory 0)))'],
  ["exports", 4, '(core module (func (export "a")))'],
  ["functions", 4, "(core module (func) (func))"],
  ["globals", 2, "(core module (global i32 i32.const 0) (global i64 i64.const 0))"],
  ["tags", 1, "(core module (tag))"],
  ["tagParameters", 2, "(core module (tag (param i32 i64)))"],
  ["tables", 2, "(core module (table 1 funcref) (table 1 funcref))"],
  [
    "tableElements",
    60,
    "(core module $x (table 10 funcref) (table 20 funcref)) (core instance (instantiate $x)) (core instance (instantiate $x))",
  ],
  ["memories", 2, "(core module (memory 1))"],
  [
    "initialMemoryBytes",
    5 * 65_536,
    "(core module $x (memory 2)) (core instance (instantiate $x)) (core instance (instantiate $x))",
  ],
  ["elementSegments", 2, "(core module (func $f) (elem func $f) (elem func))"],
  ["elementItems", 3, "(core module (func $f) (elem func $f $f) (elem func $f))"],
  ["dataSegments", 2, '(core module (data "a") (data "b"))'],
  ["bodyBytes", 42, `(core module (func ${"nop ".repeat(40)}))`],
  ["codeBytes", 30, `(core module (func ${"nop ".repeat(10)}) (func ${"nop ".repeat(10)}))`],
  ["functionLocals", 7, "(core module (func (param i32 i32) (local i32 i64 f32 f32 f64)))"],
  ["locals", 14, "(core module (func (local i32 i32 i32)) (func (param i64) (local f32 f32 f32 f32)))"],
  ["localRuns", 3, "(core module (func (local i32 i32 i64)) (func (local f32)))"],
  ["blockDepth", 3, "(core module (func block loop block end end end block end))"],
  ["branchTableTargets", 4, "(core module (func i32.const 0 br_table 0 0 0 0 0))"],
  [
    "functionBranchTargets",
    5,
    "(core module (func block i32.const 0 br_table 0 0 0 end i32.const 0 br_table 0 0 0 0))",
  ],
  ["functionBranches", 4, "(core module (func loop i32.const 0 br_if 0 i32.const 0 if else end end))"],
  ["branchesSquared", 5, "(core module (func loop loop end end) (func loop end))"],
  ["functionLoops", 3, "(core module (func loop loop end end loop end) (func loop end))"],
  ["loopsSquared", 5, "(core module (func loop loop end end) (func loop end))"],
  [
    "functionHeavyInstructions",
    3,
    "(core module (memory 1) (func $f call $f i32.const 4 i32.const 2 i32.div_u memory.grow drop) (func call $f))",
  ],
  ["heavyInstructions", 3, "(core module (func $f call $f call $f) (func call $f))"],
  [
    "functionLocalsTimesBranches",
    6,
    "(core module (func (local i32 i32) loop i32.const 0 br_if 0 end br 0))",
  ],
  [
    "localsTimesBranches",
    6,
    "(core module (func (local i32 i32) loop end br 0) (func (local i32) loop loop end end))",
  ],
];
