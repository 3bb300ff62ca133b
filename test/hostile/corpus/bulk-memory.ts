import { does, Family, many, must } from "../hostile.js";

const ALL = 62 * 1024 * 1024;
const GROWN = "(drop (memory.grow (i32.const 1000)))";

/** Bytes 1024 to 1031 are the digits 0 to 7. */
const DIGITS = { fields: '(data (i32.const 1024) "01234567")', textBytes: 8 };
const PASSIVE = { fields: '(data $d "0123")' };

const fill = (at: string | number, length: string | number) =>
  `(memory.fill (i32.const ${at}) (i32.const 1) (i32.const ${length}))`;
const copy = (to: string | number, from: string | number, length: string | number) =>
  `(memory.copy (i32.const ${to}) (i32.const ${from}) (i32.const ${length}))`;
const init = (from: string | number, length: string | number) =>
  `(memory.init $d (i32.const 2048) (i32.const ${from}) (i32.const ${length}))`;

/** One instruction that moves much, nothing, or what is not there. */
export const bulkMemory = new Family("bulk memory")
  .fails("out-of-fuel", {
    "filling all of the memory for ever": does(`${GROWN} (loop $again ${fill(0, ALL)} (br $again))`),
    "filling all of the memory a hundred times in a straight line": does(
      `${GROWN} ${many(100, fill(0, ALL))}`,
    ),
    "copying half of the memory onto the other for ever": does(
      `${GROWN} (loop $again ${copy(0, ALL / 2, ALL / 2)} (br $again))`,
    ),
    "copying the memory onto itself, one byte on, for ever": does(
      `${GROWN} (loop $again ${copy(1, 0, ALL)} (br $again))`,
    ),
    "filling nothing for ever": does(`(loop $again ${fill(0, 0)} (br $again))`),
    "copying nothing to the last address for ever": does(
      `(loop $again ${copy(65_536, 65_536, 0)} (br $again))`,
    ),
    "copying a dropped segment of which nothing is left, for ever": does(
      `(data.drop $d) (loop $again ${init(0, 0)} (br $again))`,
      PASSIVE,
    ),
    "copying a segment of a megabyte for ever": does(
      `${GROWN} (loop $again (memory.init $d (i32.const 65536) (i32.const 0) (i32.const 1000000)) (br $again))`,
      { fields: `(data $d "${"0123456789".repeat(100_000)}")` },
    ),
    "a fill that costs more than all the fuel": { guest: does(fill(0, 65_536)), limits: { fuel: 65_000 } },
    "a copy that costs more than all the fuel": { guest: does(copy(0, 1, 65_535)), limits: { fuel: 65_000 } },
    "a copy out of a segment that costs more than all the fuel": {
      guest: does("(memory.init $d (i32.const 0) (i32.const 0) (i32.const 60000))", {
        fields: `(data $d "${"0123456789".repeat(6_000)}")`,
      }),
      limits: { fuel: 59_000 },
    },
  })
  .fails("trap", {
    "a fill of 4 GiB, which must not take the fuel": { guest: does(fill(0, -1)), because: "memory access" },
    "a fill that ends a byte beyond the memory": { guest: does(fill(1, 65_536)), because: "memory access" },
    "a fill of which the end wraps around to a valid address": {
      guest: does(fill(-4096, 8192)),
      because: "memory access",
    },
    "a copy to beyond the memory": { guest: does(copy(65_535, 0, 2)), because: "memory access" },
    "a copy from beyond the memory": { guest: does(copy(0, 65_535, 2)), because: "memory access" },
    "a copy of 4 GiB onto itself": { guest: does(copy(0, 0, -1)), because: "memory access" },
    "a copy of nothing to beyond the memory": { guest: does(copy(65_537, 0, 0)), because: "memory access" },
    "a copy of more than a segment holds": { guest: does(init(1, 4), PASSIVE), because: "memory access" },
    "a copy of 4 GiB out of a segment": { guest: does(init(0, -1), PASSIVE), because: "memory access" },
    "a copy out of a segment after it was dropped": {
      guest: does(`(data.drop $d) ${init(0, 1)}`, PASSIVE),
      because: "memory access",
    },
    "a copy out of a dropped segment that costs more than all the fuel": {
      guest: does("(data.drop $d) (memory.init $d (i32.const 0) (i32.const 0) (i32.const 60000))", {
        fields: `(data $d "${"0123456789".repeat(6_000)}")`,
      }),
      limits: { fuel: 59_000 },
      because: "memory access",
    },
    "a fill beyond the memory that costs more than all the fuel": {
      guest: does(fill(8192, 60_000)),
      limits: { fuel: 20_000 },
      because: "memory access",
    },
  })
  .survives({
    "a copy forwards onto itself": does(
      `${copy(1026, 1024, 6)} ${must("(i64.eq (i64.load (i32.const 1024)) (i64.const 0x3534333231303130))")}`,
      DIGITS,
    ),
    "a copy backwards onto itself": does(
      `${copy(1024, 1026, 6)} ${must("(i64.eq (i64.load (i32.const 1024)) (i64.const 0x3736373635343332))")}`,
      DIGITS,
    ),
    "a copy of a megabyte backwards onto itself, by one byte": does(
      `${GROWN} (i32.store8 (i32.const 1000001) (i32.const 7)) ${copy(1, 2, 1_000_000)}
      ${must("(i32.eq (i32.load8_u (i32.const 1000000)) (i32.const 7))")}`,
    ),
    "filling nothing at the end of the memory": does(fill(65_536, 0)),
    "copying nothing out of a dropped segment": does(`(data.drop $d) ${init(0, 0)}`, PASSIVE),
    "dropping a segment a thousand times": does(many(1_000, "(data.drop $d)"), PASSIVE),
  });
