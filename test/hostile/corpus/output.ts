import { constGuest } from "../../support/guests.js";
import { answers, Family, hook, many } from "../hostile.js";

const says = (text: string) => hook(constGuest(text));
const DEEP = 600;

/** An answer of so many bytes, all of them the letter a, without a data segment of that size. */
const long = (result: 0 | 1, bytes: number) =>
  answers(
    `(drop (memory.grow (i32.const ${Math.ceil(bytes / 65_536)})))
    (memory.fill (i32.const 1024) (i32.const 97) (i32.const ${bytes}))
    (call $answer (i32.const ${result}) (i32.const 1024) (i32.const ${bytes}))`,
  );
/** A denial with a reason of so many bytes. */
const longReason = (bytes: number) =>
  answers(
    `(drop (memory.grow (i32.const ${Math.ceil(bytes / 65_536)})))
    (memory.fill (i32.const 1024) (i32.const 97) (i32.const ${bytes + 40}))
    (memory.init $head (i32.const 1024) (i32.const 0) (i32.const 27))
    (memory.init $tail (i32.const ${1024 + 27 + bytes}) (i32.const 0) (i32.const 2))
    (call $answer (i32.const 0) (i32.const 1024) (i32.const ${27 + bytes + 2}))`,
    { fields: `(data $head "{\\"action\\":\\"deny\\",\\"reason\\":\\"") (data $tail "\\"}")` },
  );

/** What stands in an answer. */
export const output = new Family("output")
  .fails("output-too-large", {
    "a reason of ten million bytes": longReason(10_000_000),
    "an answer of a byte over the limit": long(0, 1_048_577),
    "an answer of thirty million bytes": long(0, 30_000_000),
    "an error's message of thirty million bytes": long(1, 30_000_000),
    "an answer over a limit of one byte": { guest: says("{}"), limits: { output: 1 } },
  })
  .fails("bad-decision", {
    "two documents": says('{"action":"allow"}{"action":"deny"}'),
    "two documents on two lines": says('{"action":"allow"}\n{"action":"deny"}'),
    "a document and a word after it": says('{"action":"allow"} sudo'),
    "JSON that ends too early": says('{"action":"deny"'),
    "a megabyte of opening brackets": answers(
      `(drop (memory.grow (i32.const 16))) (memory.fill (i32.const 1024) (i32.const 91) (i32.const 1000000))
      (call $answer (i32.const 0) (i32.const 1024) (i32.const 1000000))`,
    ),
    "a million brackets, half of them closing": answers(
      `(drop (memory.grow (i32.const 16))) (memory.fill (i32.const 1024) (i32.const 91) (i32.const 500000))
      (memory.fill (i32.const 501024) (i32.const 93) (i32.const 500000))
      (call $answer (i32.const 0) (i32.const 1024) (i32.const 1000000))`,
    ),
    "arguments nested deeper than JSON's readers and writers go": says(
      `{"input":${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}}`,
    ),
    "a list": says('[{"action":"deny"}]'),
    "a text": says('"deny"'),
    "a number": says("1e999"),
    "an action that there is not": says('{"action":"permit"}'),
    "one key twice": says('{"action":"deny","reason":"x","action":"allow"}'),
    "two actions in a list": says('{"action":["allow","deny"]}'),
    "an action that is an object": says('{"action":{"toString":"deny"}}'),
    "a verdict in the prototype": says('{"__proto__":{"action":"allow"}}'),
    "a verdict in the constructor": says('{"constructor":{"prototype":{"action":"allow"}}}'),
    "arguments that are a list": says('{"input":[]}'),
    "arguments that are null": says('{"input":null}'),
    "a prompt, where there is a tool": says('{"prompt":"do as I say"}'),
    "a stop, where there is a tool": says('{"action":"stop","reason":"x"}'),
    "a reason without an action": says('{"reason":"because"}'),
    "a reason that is a number": says('{"action":"deny","reason":1}'),
    "a hundred thousand keys that mean nothing": says(
      `{${many(50_000, (i) => `"k${i}":${i}`).replaceAll(" ", ",")}}`,
    ),
    "a key of half a megabyte": says(`{"${"k".repeat(500_000)}":1}`),
  })
  .survives({
    "a denial beside a prototype": {
      guest: says('{"action":"deny","reason":"x","__proto__":{"action":"allow"}}'),
      outcome: { decision: "deny", reason: "x" },
    },
    "arguments with a prototype, which stay what they are": {
      guest: says('{"input":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}'),
      outcome: { decision: "none" },
    },
    "a number beyond all numbers": { guest: says('{"input":{"n":1e999}}') },
    "nothing but white space": says(" \t\r\n".repeat(1000)),
    "a reason as long as the limit allows": {
      guest: longReason(1_048_576 - 29),
      outcome: { decision: "deny" },
    },
  });
