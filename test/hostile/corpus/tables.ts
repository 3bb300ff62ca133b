import { does, Family, many, must } from "../hostile.js";

const LIMIT = 100_000;
const T = "(table $t 10 funcref)";
const grow = (count: string | number) => `(table.grow $t (ref.null func) (i32.const ${count}))`;
const refusedGrowth = (count: string | number) => must(`(i32.eq ${grow(count)} (i32.const -1))`);
const fill = (at: number, count: string | number) =>
  `(table.fill $t (i32.const ${at}) (ref.null func) (i32.const ${count}))`;
const copy = (to: number, from: number, count: string | number) =>
  `(table.copy $t $t (i32.const ${to}) (i32.const ${from}) (i32.const ${count}))`;
const init = (from: number, count: string | number) =>
  `(table.init $t $e (i32.const 0) (i32.const ${from}) (i32.const ${count}))`;
const SEGMENT = { fields: `${T} (elem $e func $answer $realloc)` };
const table = { fields: T };

/** Tables: the other thing that takes host memory. */
export const tables = new Family("tables")
  .refused("module-refused", {
    "a table of ten million elements from the start": {
      guest: does("", { fields: "(table 10000000 funcref)" }),
      because: "tableElements",
    },
    "a table of 2^32 - 1 elements": {
      guest: does("", { fields: "(table 0xffffffff externref)" }),
      because: "tableElements",
    },
    "twenty tables of ten million elements": {
      guest: does("", { fields: many(20, "(table 10000000 funcref)") }),
      because: "tables",
    },
    "two tables that are together larger than the limit": {
      guest: does("", { fields: `(table ${LIMIT / 2} funcref) (table ${LIMIT / 2 + 1} externref)` }),
      because: "tableElements",
    },
  })
  .fails("out-of-fuel", {
    "growing a table by nothing for ever": does(`(loop $again (drop ${grow(0)}) (br $again))`, table),
    "growing a table by more than there can be, for ever": does(
      `(loop $again (drop ${grow(-1)}) (br $again))`,
      table,
    ),
    "growing a table by one for ever, whatever comes of it": does(
      `(loop $again (drop ${grow(1)}) (br $again))`,
      table,
    ),
    "filling a table of a hundred thousand for ever": does(
      `(drop ${grow(LIMIT - 10)}) (loop $again (table.fill $t (i32.const 0) (ref.func $answer) (i32.const ${LIMIT})) (br $again))`,
      { fields: `${T} (elem declare func $answer)` },
    ),
    "copying a table of a hundred thousand onto itself for ever": does(
      `(drop ${grow(LIMIT - 10)}) (loop $again ${copy(1, 0, LIMIT - 1)} (br $again))`,
      table,
    ),
    "filling a table out of a large segment for ever": does(
      `(drop ${grow(50_000)}) (loop $again ${init(0, 50_000)} (br $again))`,
      { fields: `${T} (elem $e func ${many(50_000, "$answer")})` },
    ),
    "filling nothing of a table for ever": does(`(loop $again ${fill(10, 0)} (br $again))`, table),
    "writing functions into a table for ever": does(
      "(loop $again (table.set $t (i32.const 1) (ref.func $answer)) (table.set $t (i32.const 1) (table.get $t (i32.const 2))) (br $again))",
      { fields: `${T} (elem declare func $answer)` },
    ),
    "a fill of a table that costs more than all the fuel": {
      guest: does(fill(0, 90_000), { fields: "(table $t 90000 funcref)" }),
      limits: { fuel: 80_000 },
    },
    "a growth of a table that costs more than all the fuel": {
      guest: does(`(drop ${grow(90_000)})`, table),
      limits: { fuel: 80_000 },
    },
  })
  .fails("trap", {
    "a fill beyond a table, which must not take the fuel": {
      guest: does(fill(0, -1), table),
      because: "table access",
    },
    "a fill that ends an element beyond a table": {
      guest: does(fill(1, 10), table),
      because: "table access",
    },
    "a copy beyond a table": { guest: does(copy(9, 0, 2), table), because: "table access" },
    "a copy of 2^32 - 1 elements": { guest: does(copy(0, 0, -1), table), because: "table access" },
    "more out of a segment than it holds": { guest: does(init(1, 2), SEGMENT), because: "table access" },
    "something out of a segment after it was dropped": {
      guest: does(`(elem.drop $e) ${init(0, 1)}`, SEGMENT),
      because: "table access",
    },
    "reading a table at -1": {
      guest: does("(drop (table.get $t (i32.const -1)))", table),
      because: "table access",
    },
    "an element segment beyond its table": {
      guest: does("", { fields: `${T} (elem (table $t) (i32.const 9) func $answer $answer)` }),
      because: "table access",
    },
  })
  .survives({
    "growing a table by 2^32 - 1, which is refused": does(refusedGrowth(-1), table),
    "growing a table by 2^31, which is refused": does(refusedGrowth("0x80000000"), table),
    "growing a table to its limit exactly, and by one more, which is refused": does(
      `${must(`(i32.eq ${grow(LIMIT - 10)} (i32.const 10))`)} ${refusedGrowth(1)}`,
      table,
    ),
    "growing sixteen tables, which have one limit together": does(
      `${many(16, (i) => `(drop (table.grow $t${i} (ref.null extern) (i32.const 7000)))`)}
      ${must("(i32.eqz (i32.add (table.size $t14) (table.size $t15)))")}`,
      { fields: many(16, (i) => `(table $t${i} 0 externref)`) },
    ),
    "declaring a maximum of 2^32 - 1, which the limit cuts": does(refusedGrowth(LIMIT), {
      fields: "(table $t 1 0xffffffff funcref)",
    }),
    "a copy backwards onto itself": does(
      `${init(0, 2)} ${copy(1, 0, 2)} ${copy(0, 1, 2)}
      ${must("(i32.eqz (ref.is_null (table.get $t (i32.const 2))))")}
      ${must("(ref.is_null (table.get $t (i32.const 3)))")}`,
      SEGMENT,
    ),
    "nothing out of a dropped segment": does(`(elem.drop $e) ${init(0, 0)}`, SEGMENT),
  });
