import { answers, CONFIG, does, Family, LOG, many } from "../hostile.js";

const log = (level: number, at: number, length: number) =>
  `(call $log (i32.const ${level}) (i32.const ${at}) (i32.const ${length}))`;
const times = (count: number, body: string) => `
  (local $i i32) (loop $again ${body}
    (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const ${count}))))`;

/** What a guest may ask of its host, asked too often, too large, or at the wrong time. */
export const hostCalls = new Family("host calls")
  .fails("out-of-fuel", {
    "log lines of one byte for ever": does(`(loop $again ${log(1, 0, 1)} (br $again))`, { imports: LOG }),
    "log lines of a page for ever": does(`(loop $again ${log(1, 0, 65_536)} (br $again))`, { imports: LOG }),
    "log lines of fifty megabytes": does(
      `(drop (memory.grow (i32.const 1000))) (loop $again ${log(1, 0, 50_000_000)} (br $again))`,
      { imports: LOG },
    ),
    "a config of half a megabyte for ever": {
      guest: does(
        "(loop $again (global.set $top (i32.const 1024)) (call $config (i32.const 32)) (br $again))",
        {
          imports: CONFIG,
        },
      ),
      config: { key: "x".repeat(500_000) },
    },
    "logging the config for ever": {
      guest: does(
        `(loop $again (global.set $top (i32.const 1024)) (call $config (i32.const 32))
          (call $log (i32.const 0) (i32.load (i32.const 32)) (i32.load (i32.const 36))) (br $again))`,
        { imports: `${LOG} ${CONFIG}` },
      ),
      config: "é".repeat(10_000),
    },
  })
  .fails("trap", {
    "a hundred thousand calls and one, with fuel for all of them": {
      guest: does(times(100_001, log(0, 0, 0)), { imports: LOG }),
      limits: { fuel: "1G", deadline: "60s" },
      because: "more than 100000 times",
    },
    "a log line and a trap, over and over": {
      guest: does(`${many(5, log(0, 0, 0))} unreachable`, { imports: LOG }),
      because: "unreachable",
    },
  })
  .fails("out-of-memory", {
    "a config that is larger than the memory that it goes into": {
      guest: does("(call $config (i32.const 32))", { imports: CONFIG }),
      config: "x".repeat(200_000),
      limits: { memory: "128KiB" },
    },
  })
  .survives({
    "five thousand log lines without a word": does(times(5_000, log(2, 0, 0)), { imports: LOG }),
    "a log line of a megabyte, of which the limit is kept": does(
      `(drop (memory.grow (i32.const 16))) ${log(3, 0, 1_000_000)}`,
      { imports: LOG },
    ),
    "a log line that ends in the middle of a character where the limit cuts it": {
      guest: does(log(0, 1024, 6), {
        imports: LOG,
        fields: '(data (i32.const 1024) "\\e4\\b8\\ad\\e4\\b8\\ad")',
        textBytes: 6,
      }),
      limits: { logs: 4 },
    },
    "a log line that writes to the terminal": does(log(0, 1024, 4), {
      imports: LOG,
      fields: '(data (i32.const 1024) "\\1b[2J")',
      textBytes: 4,
    }),
    "a config with a prototype, which comes through as text": {
      guest: answers(
        "(call $config (i32.const 32)) (call $answer (i32.const 0) (i32.load (i32.const 32)) (i32.const 0))",
        { imports: CONFIG },
      ),
      config: JSON.parse('{"__proto__":{"polluted":true},"toString":1}'),
    },
    "the event logged back": does("(call $log (i32.const 1) (local.get $ptr) (local.get $len))", {
      imports: LOG,
    }),
  })
  .fails("bad-decision", {
    "the event as the answer": answers("(call $answer (i32.const 0) (local.get $ptr) (local.get $len))"),
  });
