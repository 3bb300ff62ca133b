import { Writer } from "#src/sandbox/binary/bytes";
import { type FunctionType, ValueTypes } from "#src/sandbox/binary/core-types";
import { SectionIds } from "#src/sandbox/binary/section-ids";
import { Code } from "./code.js";
import { constant } from "./expression.js";
import { Random } from "./random.js";
import { type Exceptions, FIRST_FUNCTION, HOST, type Plan, Scope, typesOf } from "./scope.js";
import {
  DATA_BYTES,
  FUNCTION_TYPES,
  FUNCTIONS,
  GLOBAL_TYPES,
  GLOBALS,
  HOST_TYPE,
  LOCAL_TYPES,
  MEMORY_PAGES,
  SEGMENT_ELEMENTS,
  TABLE_ELEMENTS,
  TAG_TYPES,
} from "./shapes.js";
import { push, statements } from "./statement.js";

const FUNCTION_FORM = 0x60;
const KINDS = { func: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;

export interface Program {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly seesNans: boolean;
  /** what it exports, in the order of the calls that it is meant for */
  readonly functions: readonly { readonly name: string; readonly type: FunctionType }[];
}

/**
 * A valid module of which every byte is determined by the arguments. It imports `host.log` of i32 to i32, and
 * exports its memory, its globals and some of its functions. Most end for every argument, some never do.
 *
 * @param size about how many expressions and statements each function has at most: a failure found with much
 * is looked at with as little as shows it
 */
export function program(seed: number, size: number, exceptions: Exceptions, seesNans = false): Program {
  const random = new Random(seed);
  const functions = Array.from({ length: FUNCTIONS }, (_, i) =>
    i === 0 ? HOST_TYPE : random.pick(FUNCTION_TYPES),
  );
  const plan: Plan = { random, functions, exceptions, seesNans };
  const exported = functions.map((_, i) => i === 0 || random.once(2));
  const start = functions.findIndex(({ params, results }) => params.length + results.length === 0);
  const out = new Writer(2048);
  out.copy(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  const section = (id: keyof typeof SectionIds, content: (writer: Writer) => void) => {
    const writer = new Writer();
    content(writer);
    out.byte(SectionIds[id]);
    out.u32(writer.length);
    out.append(writer);
  };
  const types = typesOf(exceptions);
  const typeIndex = (type: FunctionType) => new Scope(plan, 0, 0).typeIndex(type);
  section("type", (writer) => vector(writer, types, (type) => writeType(writer, type)));
  section("import", (writer) => {
    writer.u32(1);
    writer.name("host");
    writer.name("log");
    writer.byte(KINDS.func);
    writer.u32(typeIndex(HOST_TYPE));
  });
  section("function", (writer) => {
    const own = [...functions, { params: [], results: [ValueTypes.i32] }];
    vector(writer, own, (type) => writer.u32(typeIndex(type)));
  });
  section("table", (writer) => {
    writer.u32(2);
    writer.copy(Uint8Array.of(ValueTypes.funcref, 0, TABLE_ELEMENTS));
    writer.copy(Uint8Array.of(ValueTypes.funcref, 1, TABLE_ELEMENTS, TABLE_ELEMENTS + 6));
  });
  section("memory", (writer) => writer.copy(Uint8Array.of(1, 1, MEMORY_PAGES, 3)));
  if (exceptions) {
    section("tag", (writer) =>
      vector(writer, TAG_TYPES, (type) => {
        writer.byte(0);
        writer.u32(typeIndex(type));
      }),
    );
  }
  section("global", (writer) =>
    vector(writer, [...GLOBAL_TYPES.entries()], ([index, type]) => {
      writer.byte(type);
      writer.byte(1);
      const scope = new Scope(plan, 0, 0);
      if (index === GLOBALS.turns) scope.code.i32(random.pick([3, 10, 30]));
      else if (index === GLOBALS.depth) scope.code.i32(random.pick([1, 3, 6]));
      else constant(scope, type);
      scope.code.op("end");
      writer.append(scope.code.out);
    }),
  );
  const isTableExported = random.once(3);
  section("export", (writer) => {
    const all: [string, keyof typeof KINDS, number][] = [["memory", "memory", 0]];
    for (const index of GLOBAL_TYPES.keys()) all.push([`global${index}`, "global", index]);
    for (const index of functions.keys()) {
      if (exported[index]) all.push([`f${index}`, "func", FIRST_FUNCTION + index]);
    }
    if (isTableExported) all.push(["table", "table", 0]);
    vector(writer, all, ([name, kind, index]) => {
      writer.name(name);
      writer.byte(KINDS[kind]);
      writer.u32(index);
    });
  });
  if (start >= 0 && random.once(2)) section("start", (writer) => writer.u32(FIRST_FUNCTION + start));
  section("element", (writer) => writeElements(writer, random));
  section("dataCount", (writer) => writer.u32(2));
  section("code", (writer) => {
    const bodies = [...functions.keys()].map((index) => body(plan, index, size));
    vector(writer, [...bodies, stirBody()], (code) => {
      writer.u32(code.length);
      writer.append(code);
    });
  });
  section("data", (writer) => {
    const content = Uint8Array.from({ length: DATA_BYTES }, () => random.below(256));
    writer.copy(Uint8Array.of(2, 1, DATA_BYTES));
    writer.copy(content);
    writer.copy(Uint8Array.of(0, 0x41, 8, 0x0b, DATA_BYTES));
    writer.copy(content);
  });
  return {
    bytes: out.view(),
    seesNans,
    functions: functions.flatMap((type, i) => (exported[i] ? [{ name: `f${i}`, type }] : [])),
  };
}

function vector<T>(writer: Writer, items: readonly T[], write: (item: T) => void): void {
  writer.u32(items.length);
  for (const item of items) write(item);
}

function writeType(writer: Writer, { params, results }: FunctionType): void {
  writer.byte(FUNCTION_FORM);
  for (const types of [params, results]) vector(writer, types, (type) => writer.byte(type));
}

/** The first is what `table.init` takes from; the first table holds the functions in order. */
function writeElements(writer: Writer, random: Random): void {
  const all = Array.from({ length: FUNCTIONS }, (_, i) => FIRST_FUNCTION + i);
  const some = () => Array.from({ length: SEGMENT_ELEMENTS }, () => random.pick([...all, HOST]));
  const indices = (list: number[]) => vector(writer, list, (index) => writer.u32(index));
  writer.u32(4);
  writer.copy(Uint8Array.of(1, 0));
  indices(some());
  writer.copy(Uint8Array.of(0, 0x41, 0, 0x0b));
  indices(random.once(2) ? all : [...all, HOST]);
  writer.copy(Uint8Array.of(2, 1, 0x41, 0, 0x0b, 0));
  indices(random.once(2) ? all : some());
  writer.copy(Uint8Array.of(3, 0));
  indices([HOST, ...all, FIRST_FUNCTION + FUNCTIONS]);
}

function body(plan: Plan, index: number, size: number): Writer {
  const scope = new Scope(plan, index, size);
  const { out } = scope.code;
  vector(out, LOCAL_TYPES, (type) => {
    out.u32(1);
    out.byte(type);
  });
  for (let i = 0; i < 3; i++) statements(scope, 4);
  push(scope, scope.type.results);
  scope.code.op("end");
  return out;
}

/** Moves the program's own random numbers on by one. Source: the constants of Numerical Recipes' `ranqd1`. */
function stirBody(): Writer {
  const code = new Code();
  code.out.u32(0);
  code.op("global.get", GLOBALS.stir);
  code.i32(1_664_525);
  code.op("i32.mul");
  code.i32(1_013_904_223);
  code.op("i32.add");
  code.op("global.set", GLOBALS.stir);
  code.op("global.get", GLOBALS.stir);
  code.i32(16);
  code.op("i32.shr_u");
  code.op("end");
  return code.out;
}
