import { type ValueType, ValueTypes } from "#src/sandbox/binary/core-types";
import { branchIf, branchTable, leave } from "./branch.js";
import { bulk } from "./bulk.js";
import { guarded } from "./exception.js";
import { condition, expression, place, seen } from "./expression.js";
import { FIRST_FUNCTION, type Scope } from "./scope.js";
import { BLOCK_TYPES, FUNCTIONS, GLOBAL_TYPES, GLOBALS, NUMBER_TYPES } from "./shapes.js";

const { i32, i64, f32, f64, funcref } = ValueTypes;
const STORES = [
  ["i32.store", i32],
  ["i32.store8", i32],
  ["i32.store16", i32],
  ["i64.store", i64],
  ["i64.store32", i64],
  ["f32.store", f32],
  ["f64.store", f64],
] as const;

export function statements(scope: Scope, most: number): void {
  for (let count = scope.random.below(most + 1); count > 0; count--) statement(scope);
}

/** Takes values off the stack, the last first. */
export function consume(scope: Scope, types: readonly ValueType[]): void {
  const { code, random } = scope;
  for (const type of [...types].reverse()) {
    if (random.once(2) || !scope.locals.includes(type)) code.op("drop");
    else code.op("local.set", scope.local(type));
  }
}

export function push(scope: Scope, types: readonly ValueType[]): void {
  for (const type of types) expression(scope, type);
}

function statement(scope: Scope): void {
  const { code, random } = scope;
  if (!scope.takes()) {
    code.op("nop");
    return;
  }
  switch (random.below(18)) {
    case 0:
    case 1: {
      const type = random.pick([...NUMBER_TYPES, funcref]);
      expression(scope, type);
      if (random.once(4)) {
        code.op("drop");
        return;
      }
      code.op("local.set", scope.local(type));
      return;
    }
    case 2: {
      const global = random.pick([GLOBALS.i32, GLOBALS.i64, GLOBALS.f64]);
      expression(scope, GLOBAL_TYPES[global] ?? i32);
      code.op("global.set", global);
      return;
    }
    case 3: {
      const [name, type] = random.pick(STORES);
      place(scope, 0x3ff);
      seen(scope, type);
      code.access(name, random.below(50));
      return;
    }
    case 4:
    case 5:
      block(scope);
      return;
    case 6:
    case 7:
      loop(scope);
      return;
    case 8:
      either(scope);
      return;
    case 9:
      branchIf(scope);
      return;
    case 10:
      branchTable(scope);
      return;
    case 11:
      onCondition(scope, () => leave(scope));
      return;
    case 12:
    case 13:
      call(scope);
      return;
    case 14:
      bulk(scope);
      return;
    case 15:
      random.once(3) ? leave(scope) : statements(scope, 3);
      return;
    default:
      if (scope.plan.exceptions) {
        guarded(scope);
        return;
      }
      block(scope);
      return;
  }
}

export function onCondition(scope: Scope, work: () => void): void {
  condition(scope);
  ifSo(scope, work);
}

/** An `if` whose other way goes on. */
function ifSo(scope: Scope, work: () => void): void {
  const { code } = scope;
  code.op("if", 0x40);
  scope.inside([], work);
  code.op("end");
}

/** There are only so many turns and tail calls, but for a few programs. */
export function ifTurnsAreLeft(scope: Scope, work: () => void): void {
  const { code, random } = scope;
  if (random.once(150)) {
    onCondition(scope, work);
    return;
  }
  code.op("global.get", GLOBALS.turns);
  code.i32(1);
  code.op("i32.sub");
  code.op("global.set", GLOBALS.turns);
  code.op("global.get", GLOBALS.turns);
  code.i32(0);
  code.op("i32.gt_s");
  ifSo(scope, work);
}

function block(scope: Scope): void {
  const { code, random } = scope;
  const type = random.pick(BLOCK_TYPES);
  push(scope, type.params);
  code.open("block", scope.typeIndex(type));
  scope.inside(type.results, () => content(scope, type.params, type.results));
  code.op("end");
  consume(scope, type.results);
}

/** What stands in a block that begins with `params` on the stack and ends with `results`. */
export function content(scope: Scope, params: readonly ValueType[], results: readonly ValueType[]): void {
  consume(scope, params);
  statements(scope, 4);
  push(scope, results);
}

function loop(scope: Scope): void {
  const { code, random } = scope;
  const type = random.pick(BLOCK_TYPES);
  push(scope, type.params);
  code.open("loop", scope.typeIndex(type));
  const inner = () => {
    consume(scope, type.params);
    statements(scope, 4);
    if (random.once(4)) {
      ifTurnsAreLeft(scope, () => {
        push(scope, type.params);
        code.op("br", 1);
      });
    } else if (type.params.length === 0) {
      condition(scope);
      ifTurnsAreLeft(scope, () => statements(scope, 1));
      code.op("global.get", GLOBALS.turns);
      code.i32(0);
      code.op("i32.gt_s");
      code.op("i32.and");
      code.op("br_if", 0);
    }
    push(scope, type.results);
  };
  scope.inside(type.params, inner, { isLoop: true });
  code.op("end");
  consume(scope, type.results);
}

function either(scope: Scope): void {
  const { code, random } = scope;
  const type = random.pick(BLOCK_TYPES);
  push(scope, type.params);
  condition(scope);
  code.open("if", scope.typeIndex(type));
  scope.inside(type.results, () => content(scope, type.params, type.results));
  if (`${type.params}` !== `${type.results}` || random.once(2)) {
    code.op("else");
    scope.inside(type.results, () => content(scope, type.params, type.results));
  }
  code.op("end");
  consume(scope, type.results);
}

/** A call of any function, as deep as there are calls left. */
function call(scope: Scope): void {
  const { code, random, plan } = scope;
  const index = random.below(FUNCTIONS);
  const type = plan.functions[index] ?? scope.type;
  const deeper = (by: number) => {
    code.op("global.get", GLOBALS.depth);
    code.i32(by);
    code.op("i32.add");
    code.op("global.set", GLOBALS.depth);
  };
  code.op("global.get", GLOBALS.depth);
  code.i32(0);
  code.op("i32.gt_s");
  ifSo(scope, () => {
    deeper(-1);
    push(scope, type.params);
    if (random.once(2)) {
      code.op("call", FIRST_FUNCTION + index);
    } else {
      if (random.once(25)) place(scope, 15);
      else code.i32(index);
      code.op("call_indirect", scope.typeIndex(type), random.once(8) ? 1 : 0);
    }
    consume(scope, type.results);
    deeper(1);
  });
}
