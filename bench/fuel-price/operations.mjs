// What a guest can spend its fuel on: for each kind of operation the body of a loop, which is repeated.

const many = (count, text) =>
  Array.from({ length: count }, (_, i) => text.replaceAll("#", String(i))).join("\n");

/** A body with its fields, and how often it stands in the loop. */
const plain = (body, { fields = "", locals = "", times = 50 } = {}) => ({
  body: many(times, body),
  fields,
  locals,
});

/** A chain of operations, each on the result of the one before: by constants in turn. */
const chain = (type, start, ...steps) => ({
  body: `(local.get $x) ${many(30, steps.map(([operation, value]) => `(${type}.const ${value}) ${type}.${operation}`).join(" "))} (local.set $x)`,
  fields: "",
  locals: `(local $x ${type})`,
  before: `(local.set $x (${type}.const ${start}))`,
});
const vector = (operation, times = 50) =>
  plain(`(local.set $v (${operation} (local.get $v) (local.get $v)))`, { locals: "(local $v v128)", times });

const MEMORY = "(memory 1200)";
const bulkMemory = (size, times = 20) => ({
  [`memory.fill of ${size}`]: plain(`(memory.fill (i32.const 0) (i32.const 7) (i32.const ${size}))`, {
    fields: MEMORY,
    times,
  }),
  [`memory.copy of ${size}`]: plain(
    `(memory.copy (i32.const ${size + 64}) (i32.const 0) (i32.const ${size}))`,
    { fields: MEMORY, times },
  ),
});
const bulkTable = (size, times = 20) => {
  const fields = `(table $t ${2 * size + 10} funcref) (table $u ${size + 10} funcref) (table $e ${size + 10} externref)
    (func $g) (elem declare func $g) (elem $s func ${"$g ".repeat(Math.min(size, 1000))})`;
  const found = {
    [`table.fill of ${size}`]: plain(`(table.fill $t (i32.const 0) (ref.func $g) (i32.const ${size}))`, {
      fields,
      times,
    }),
    [`table.copy of ${size}`]: plain(`(table.copy $t $u (i32.const 3) (i32.const 1) (i32.const ${size}))`, {
      fields,
      times,
    }),
  };
  if (size <= 1000) {
    found[`table.init of ${size}`] = plain(
      `(table.init $t $s (i32.const 0) (i32.const 0) (i32.const ${size}))`,
      { fields, times },
    );
  }
  return found;
};
const stride = (step, store) =>
  plain(
    `(local.set $p (i32.and (i32.add (local.get $p) (i32.const ${step})) (i32.const 0x3ffffc0))) ${store}`,
    {
      fields: MEMORY,
      locals: "(local $p i32)",
    },
  );
/** A throw that passes `depth` frames. */
const throwing = (depth) => ({
  fields: `(tag $t) (func $deep (param i32) (if (i32.eqz (local.get 0)) (then (throw $t)))
    (call $deep (i32.sub (local.get 0) (i32.const 1))) (nop))`,
  locals: "",
  body: `try (call $deep (i32.const ${depth})) catch_all end`,
});

export const OPERATIONS = {
  "integer add": plain("(local.set $a (i32.add (local.get $a) (i32.const 3)))", { locals: "(local $a i32)" }),
  "i64 multiply": plain("(local.set $a (i64.mul (local.get $a) (i64.const 7)))", {
    locals: "(local $a i64)",
  }),
  "i32 division": plain("(local.set $a (i32.div_u (i32.const -1) (i32.or (local.get $a) (i32.const 3))))", {
    locals: "(local $a i32)",
    times: 50,
  }),
  "i64 division": plain(
    "(local.set $a (i64.div_s (i64.const -1234567890123456789) (i64.or (local.get $a) (i64.const 3))))",
    { locals: "(local $a i64)" },
  ),
  "i64 remainder": plain(
    "(local.set $a (i64.rem_u (i64.const -1234567890123456789) (i64.or (local.get $a) (i64.const 3))))",
    { locals: "(local $a i64)" },
  ),
  "f64 add": chain("f64", "1", ["add", "1.5"]),
  "f64 division": chain("f64", "1e300", ["div", "1.25"], ["div", "0.8"]),
  "f32 division": chain("f32", "1e30", ["div", "1.25"], ["div", "0.8"]),
  "f64 square root": plain("(local.set $x (f64.sqrt (f64.add (local.get $x) (f64.const 2))))", {
    locals: "(local $x f64)",
  }),
  "f64 min": chain("f64", "1", ["min", "1.5"], ["max", "1.7"]),
  "f64 nearest": plain("(local.set $x (f64.nearest (f64.add (local.get $x) (f64.const 1.3))))", {
    locals: "(local $x f64)",
  }),
  "f64 to i32": plain("(local.set $a (i32.trunc_sat_f64_s (f64.convert_i32_s (local.get $a))))", {
    locals: "(local $a i32)",
  }),
  "f64 to u64": plain("(local.set $a (i64.trunc_sat_f64_u (f64.convert_i64_u (local.get $a))))", {
    locals: "(local $a i64)",
  }),
  "denormal f64 multiply": chain("f64", "0x1p-1040", ["mul", "1.25"], ["mul", "0.8"]),
  "denormal f64 add": chain("f64", "0x1p-1040", ["add", "0x1p-1042"], ["sub", "0x1p-1042"]),
  "denormal f64 division": chain("f64", "0x1p-1040", ["div", "1.25"], ["div", "0.8"]),
  "denormal f64, to and fro": chain("f64", "0x1p-600", ["mul", "0x1p-450"], ["mul", "0x1p450"]),
  "denormal f64 root": plain("(local.set $x (f64.sqrt (f64.mul (local.get $x) (f64.const 0x1p-530))))", {
    locals: "(local $x f64)",
  }),
  "denormal f32 multiply": chain("f32", "0x1p-130", ["mul", "1.25"], ["mul", "0.8"]),
  "denormal f32 division": chain("f32", "0x1p-130", ["div", "1.25"], ["div", "0.8"]),
  "denormal f32 promoted": plain("(local.set $x (f32.demote_f64 (f64.promote_f32 (local.get $x))))", {
    locals: "(local $x f32)",
  }),
  "denormal f32x4 multiply": {
    ...plain("(local.set $v (f32x4.mul (f32x4.mul (local.get $v) (local.get $c)) (local.get $d)))", {
      locals: "(local $v v128) (local $c v128) (local $d v128)",
    }),
    before: `(local.set $v (f32x4.splat (f32.const 0x1p-130))) (local.set $c (f32x4.splat (f32.const 1.25)))
      (local.set $d (f32x4.splat (f32.const 0.8)))`,
  },
  "NaN f64 add": chain("f64", "nan", ["add", "1.3"]),
  "f64x2 division": vector("f64x2.div"),
  "f32x4 root": plain("(local.set $v (f32x4.sqrt (local.get $v)))", { locals: "(local $v v128)" }),
  "i8x16 add": vector("i8x16.add"),
  "i8x16 swizzle": vector("i8x16.swizzle"),
  "i64x2 multiply": vector("i64x2.mul"),
  "i64x2.extmul": vector("i64x2.extmul_low_i32x4_s"),
  popcnt: plain("(local.set $a (i64.add (local.get $a) (i64.popcnt (local.get $a))))", {
    locals: "(local $a i64)",
  }),
  "loads over a line": stride(64, "(drop (i32.load (local.get $p)))"),
  "loads that miss": stride(4160, "(local.set $p (i32.add (local.get $p) (i32.load (local.get $p))))"),
  "stores that miss": stride(4160, "(i32.store (local.get $p) (i32.const 0))"),
  "stores across pages": stride(65536, "(i64.store offset=65532 (local.get $p) (i64.const 1))"),
  "global.set": plain("(global.set $g (i32.add (global.get $g) (i32.const 1)))", {
    fields: "(global $g (mut i32) (i32.const 0))",
  }),
  branches: plain(
    "(block (br_if 0 (i32.and (local.tee $a (i32.mul (local.get $a) (i32.const 1664525))) (i32.const 0x10000))) (local.set $a (i32.add (local.get $a) (i32.const 1013904223))))",
    { locals: "(local $a i32)" },
  ),
  br_table: plain(
    "(block (block (block (br_table 0 1 2 (i32.and (i32.shr_u (local.tee $a (i32.add (i32.mul (local.get $a) (i32.const 1664525)) (i32.const 1013904223))) (i32.const 16)) (i32.const 3))))))",
    { locals: "(local $a i32)" },
  ),
  call: plain("(call $f)", { fields: "(func $f)" }),
  "call with a frame": plain("(call $f)", {
    fields: `(func $f (local ${"i64 ".repeat(60)}) (call $h) (local.set 59 (local.get 1))) (func $h)`,
  }),
  "call with many parameters": plain(`(call $f ${"(i32.const 1) ".repeat(20)})`, {
    fields: `(func $f (param ${"i32 ".repeat(20)}))`,
  }),
  "call with many locals": plain("(call $f)", {
    fields: `(func $f (local ${"i64 ".repeat(1500)}) (if (global.get $g) (then ${many(1500, "(local.set # (i64.const #))")} (call $f) ${many(1500, "(drop (local.get #))")}))) (global $g (mut i32) (i32.const 0))`,
  }),
  call_indirect: plain("(call_indirect (i32.const 0))", { fields: "(table funcref (elem $f)) (func $f)" }),
  "call_indirect, exported table": plain("(call_indirect (i32.const 0))", {
    fields: '(table (export "t") funcref (elem $f)) (func $f)',
  }),
  return_call: plain("(call $f)", { fields: "(func $f (return_call $g)) (func $g)" }),
  "call of another module": plain("(call $other)", { times: 20 }),
  "ref.func": plain("(drop (ref.is_null (ref.func $g)))", { fields: "(func $g) (elem declare func $g)" }),
  "table.get": plain("(drop (ref.is_null (table.get $t (i32.const 1))))", {
    fields: "(table $t 10 funcref)",
  }),
  "table.get of a function": plain("(drop (ref.is_null (table.get $t (i32.const 1))))", {
    fields: "(table $t 10 funcref) (func $g) (elem (table $t) (i32.const 1) func $g)",
  }),
  "table.set of a function": plain("(table.set $t (i32.const #) (ref.func $g))", {
    fields: "(table $t 100 funcref) (func $g) (elem declare func $g)",
  }),
  "table.set of null": plain("(table.set $t (i32.const #) (ref.null func))", {
    fields: "(table $t 100 funcref)",
  }),
  "table.set, externref": plain("(table.set $t (i32.const #) (ref.null extern))", {
    fields: "(table $t 100 externref)",
  }),
  "table.size": plain("(drop (table.size $t))", { fields: "(table $t 100 externref)" }),
  "table.grow of 0": plain("(drop (table.grow $t (ref.null extern) (i32.const 0)))", {
    fields: "(table $t 100 externref)",
    times: 10,
  }),
  "table.grow of 1": {
    ...plain("(drop (table.grow $t (ref.null func) (i32.const 1)))", {
      fields: "(table $t 0 funcref)",
      times: 10,
    }),
    turns: 500,
  },
  "table.grow that fails": plain("(drop (table.grow $t (ref.null extern) (i32.const -1)))", {
    fields: "(table $t 100 externref)",
    times: 10,
  }),
  "memory.size": plain("(drop (memory.size))", { fields: MEMORY }),
  "memory.grow of 0": plain("(drop (memory.grow (i32.const 0)))", { fields: MEMORY, times: 10 }),
  "memory.grow that fails": plain("(drop (memory.grow (i32.const 60000)))", {
    fields: "(memory 1 2)",
    times: 10,
  }),
  "memory.grow of 1": {
    ...plain("(drop (memory.grow (i32.const 1)))", { fields: "(memory 1)", times: 1 }),
    turns: 1000,
  },
  "data.drop": plain("(data.drop $d)", { fields: `${MEMORY} (data $d "x")` }),
  "elem.drop": plain("(elem.drop $d)", { fields: "(func $g) (elem $d func $g)" }),
  ...bulkMemory(0),
  ...bulkMemory(1),
  ...bulkMemory(64),
  ...bulkMemory(4096),
  ...bulkMemory(1 << 20, 1),
  ...bulkMemory(32 << 20, 1),
  "memory.init of 0": plain("(memory.init $d (i32.const 0) (i32.const 0) (i32.const 0))", {
    fields: `${MEMORY} (data $d "some text")`,
    times: 10,
  }),
  "memory.init of 9": plain("(memory.init $d (i32.const 0) (i32.const 0) (i32.const 9))", {
    fields: `${MEMORY} (data $d "some text")`,
    times: 10,
  }),
  ...bulkTable(0),
  ...bulkTable(1),
  ...bulkTable(100),
  ...bulkTable(1000),
  ...bulkTable(90_000, 1),
  "throw and catch": throwing(0),
  "throw through 10 frames": throwing(10),
  "throw through 100 frames": throwing(100),
  "throw through 2000 frames": throwing(2000),
  rethrow: {
    fields: "(tag $t)",
    locals: "",
    body: "try try (throw $t) catch_all rethrow 0 end catch_all end",
  },
  "throw with a value": {
    fields: "(tag $t (param i64 i64))",
    locals: "",
    body: "try (throw $t (i64.const 1) (i64.const 2)) catch $t drop drop catch_all end",
  },
  "try without a throw": plain("try (call $f) catch_all end", { fields: "(func $f) (tag $t)" }),
};

/** The text of a module whose export `run` takes the number of turns. What the locals come to is kept. */
export function moduleText({ body, fields, locals, before = "" }) {
  const kept = [...locals.matchAll(/\(local (\$\w+) (\w+)\)/g)].map(([, name, type]) => ({ name, type }));
  const zero = (type) => (type === "v128" ? "v128.const i64x2 0 0" : `${type}.const 0`);
  const sinks = kept.map(
    ({ name, type }) => `(global ${name} (export "${name}") (mut ${type}) (${zero(type)}))`,
  );
  const keep = kept.map(({ name }) => `(global.set ${name} (local.get ${name}))`);
  return `(module (import "other" "function" (func $other)) ${fields} ${sinks.join(" ")}
    (func (export "run") (param $n i32) ${locals} ${before}
      (loop $turn ${body} (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
      ${keep.join(" ")}))`;
}
