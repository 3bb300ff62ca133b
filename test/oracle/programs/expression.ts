import { type ValueType, ValueTypes } from "#src/sandbox/binary/core-types";
import type { Scope } from "./scope.js";
import { FIRST_FUNCTION, HOST } from "./scope.js";
import { FUNCTIONS, GLOBAL_TYPES, NUMBER_TYPES, type NumberType } from "./shapes.js";
import { statements } from "./statement.js";

const { i32, i64, f32, f64 } = ValueTypes;
const NAMES = { [i32]: "i32", [i64]: "i64", [f32]: "f32", [f64]: "f64" } as const;
const words = (text: string) => text.split(" ");

const COMPARISONS = words("eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u");
const FLOAT_COMPARISONS = words("eq ne lt gt le ge");
const BINARY = words("add sub mul and or xor shl shr_s shr_u rotl rotr");
const DIVISION = words("div_s div_u rem_s rem_u");
const UNARY = words("clz ctz popcnt extend8_s extend16_s");
const FLOAT_BINARY = words("add sub mul div min max");
const FLOAT_UNARY = words("abs neg ceil floor trunc nearest sqrt");
const LOADS: Readonly<Record<number, readonly string[]>> = {
  [i32]: words("i32.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u"),
  [i64]: words("i64.load i64.load8_s i64.load16_u i64.load32_s i64.load32_u"),
  [f32]: ["f32.load"],
  [f64]: ["f64.load"],
};

export function constant({ code, random }: Scope, type: ValueType): void {
  if (type === i32) code.i32(random.pick([0, 1, 2, 7, -1, 255, 65_536, 2 ** 31 - 1, -(2 ** 31)]));
  else if (type === i64) code.i64(random.pick([0, 1, 5, -1, 2 ** 32, 2 ** 52, -(2 ** 40)]));
  else if (type === f32) code.f32(random.pick([0, -0, 1, -1.5, 0.1, 3e9, 1e-40, Infinity, NaN]));
  else if (type === f64) code.f64(random.pick([0, -0, 1, -2.5, 0.1, 1e19, 5e-324, -Infinity, NaN]));
  else code.op("ref.null", type);
}

/** A number that the program's own generator gives. */
export function stir({ code }: Scope): void {
  code.op("call", FIRST_FUNCTION + FUNCTIONS);
}

/** An i32 that is 0 about every other time. */
export function condition(scope: Scope): void {
  const { code, random } = scope;
  if (random.once(4)) {
    expression(scope, i32);
    return;
  }
  stir(scope);
  code.i32(random.pick([1, 1, 2, 3]));
  code.op("i32.and");
  if (random.once(3)) code.op("i32.eqz");
}

/** An address or index that is in bounds nearly always. */
export function place(scope: Scope, mask: number): void {
  expression(scope, i32);
  if (scope.random.once(60)) return;
  scope.code.i32(mask);
  scope.code.op("i32.and");
}

/** A value of which the bits are seen. */
export function seen(scope: Scope, type: NumberType): void {
  const { code, plan } = scope;
  expression(scope, type);
  if ((type !== f32 && type !== f64) || plan.seesNans) return;
  const spare = scope.spare(type);
  code.op("local.tee", spare);
  if (type === f32) code.f32(0.5);
  else code.f64(0.5);
  code.op("local.get", spare);
  code.op("local.get", spare);
  code.op(`${NAMES[type]}.eq`);
  code.op("select");
}

export function expression(scope: Scope, type: ValueType): void {
  const { code, random } = scope;
  if (!scope.isNumber(type)) {
    reference(scope, type);
    return;
  }
  if (!scope.takes()) {
    random.once(2) ? constant(scope, type) : code.op("local.get", scope.local(type));
    return;
  }
  switch (random.below(12)) {
    case 0:
      constant(scope, type);
      return;
    case 1:
      code.op("local.get", scope.local(type));
      return;
    case 2: {
      const globals = GLOBAL_TYPES.flatMap((global, i) => (global === type ? [i] : []));
      if (globals.length > 0) {
        code.op("global.get", random.pick(globals));
        return;
      }
      constant(scope, type);
      return;
    }
    case 3:
      place(scope, 0x3ff);
      code.access(random.pick(LOADS[type] ?? []), random.below(100));
      return;
    case 4:
      choice(scope, type);
      return;
    case 5:
      nested(scope, type);
      return;
    case 6:
    case 7:
      convert(scope, type);
      return;
    case 8:
      called(scope, type);
      return;
    default:
      arithmetic(scope, type);
      return;
  }
}

function reference({ code, random }: Scope, type: ValueType): void {
  if (type === ValueTypes.funcref && !random.once(3)) {
    code.op("ref.func", random.below(FIRST_FUNCTION + FUNCTIONS));
  } else {
    code.op("ref.null", type);
  }
}

function choice(scope: Scope, type: NumberType): void {
  expression(scope, type);
  expression(scope, type);
  condition(scope);
  scope.code.op("select");
}

/** A block, loop or `if` that leaves one value. */
function nested(scope: Scope, type: NumberType): void {
  const { code, random } = scope;
  const name = random.pick(["block", "loop", "if"] as const);
  if (name === "if") condition(scope);
  code.op(name, type);
  const part = () => {
    statements(scope, 2);
    expression(scope, type);
  };
  scope.inside(name === "loop" ? [] : [type], part, { isLoop: name === "loop" });
  if (name === "if") {
    code.op("else");
    scope.inside([type], part);
  }
  code.op("end");
}

/** The value of a call; of the functions, only of later ones, so that calls do not nest without end. */
function called(scope: Scope, type: NumberType): void {
  const { code, random, plan } = scope;
  const later = plan.functions.flatMap(({ results }, i) =>
    i > scope.index && `${results}` === `${type}` ? [i] : [],
  );
  if (later.length > 0) {
    const index = random.pick(later);
    for (const param of plan.functions[index]?.params ?? []) expression(scope, param);
    code.op("call", FIRST_FUNCTION + index);
    return;
  }
  if (type !== i32) {
    constant(scope, type);
    return;
  }
  if (random.once(3)) {
    expression(scope, i32);
    code.op("call", HOST);
    return;
  }
  stir(scope);
}

function arithmetic(scope: Scope, type: NumberType): void {
  const { code, random } = scope;
  const name = NAMES[type];
  if (scope.plan.seesNans && (type === f32 || type === f64) && random.once(3)) {
    notANumber(scope, type);
    return;
  }
  expression(scope, type);
  if (type === f32 || type === f64) {
    if (random.once(3)) {
      code.op(`${name}.${random.pick(FLOAT_UNARY)}`);
      return;
    }
    if (random.once(8)) {
      seen(scope, type);
      code.op(`${name}.copysign`);
      return;
    }
    expression(scope, type);
    code.op(`${name}.${random.pick(FLOAT_BINARY)}`);
    return;
  }
  if (random.once(4)) {
    code.op(`${name}.${random.pick(UNARY)}`);
    return;
  }
  expression(scope, type);
  if (!random.once(5)) {
    code.op(`${name}.${random.pick(BINARY)}`);
    return;
  }
  if (!random.once(10)) {
    // Odd, so not nought.
    if (type === i32) code.i32(1);
    else code.i64(1);
    code.op(`${name}.or`);
  }
  code.op(`${name}.${random.pick(DIVISION)}`);
}

/** A NaN of arithmetic, of which an engine chooses the bits. */
function notANumber({ code, random }: Scope, type: typeof f32 | typeof f64): void {
  const push = (value: number) => (type === f32 ? code.f32(value) : code.f64(value));
  push(random.pick([0, -0]));
  push(0);
  code.op(`${NAMES[type]}.div`);
}

function convert(scope: Scope, type: NumberType): void {
  const { code, random } = scope;
  const sign = random.pick(["s", "u"]);
  const from = random.pick(NUMBER_TYPES);
  if (type === i32) {
    switch (random.below(6)) {
      case 0:
        code.op("memory.size", 0);
        return;
      case 1:
        code.i32(random.pick([0, 0, 1, 1, 2, 70_000]));
        code.op("memory.grow", 0);
        return;
      case 2:
        code.op("table.size", random.below(2));
        return;
      case 3:
        reference(scope, ValueTypes.funcref);
        code.i32(random.pick([0, 1, 2, 5, -1]));
        code.op("table.grow", 1);
        return;
      case 4:
        place(scope, 7);
        code.op("table.get", random.below(2));
        code.op("ref.is_null");
        return;
    }
    expression(scope, from);
    const names = from === f32 || from === f64 ? FLOAT_COMPARISONS : COMPARISONS;
    expression(scope, from);
    code.op(`${NAMES[from]}.${random.pick(names)}`);
    return;
  }
  if (type === i64) {
    const source = random.pick([i32, f32, f64] as const);
    if (source === f64 && random.once(3)) {
      seen(scope, f64);
      code.op("i64.reinterpret_f64");
      return;
    }
    expression(scope, source);
    if (source === i32) {
      code.op(`i64.extend_i32_${sign}`);
      return;
    }
    const way = random.once(10) ? "trunc" : "trunc_sat";
    code.op(`i64.${way}_${NAMES[source]}_${sign}`);
    return;
  }
  const source = random.pick([i32, i64, type === f32 ? f64 : f32] as const);
  expression(scope, source);
  if (source === f64) code.op("f32.demote_f64");
  else if (source === f32) code.op("f64.promote_f32");
  else code.op(`${NAMES[type]}.convert_${NAMES[source as typeof i32 | typeof i64]}_${sign}`);
}
