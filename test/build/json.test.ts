import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue } from "#src/hooks/json";
import { buildText } from "../support/assemblyscript.js";
import { type RunningComponent, runComponent } from "../support/run-component.js";

/** Looks into everything of each text, makes it anew, and answers with the list of what came out. */
const REBUILD = `
import { Decision, Event, Json, context } from "wasmhook/guest";

export function handle(event: Event): Decision | null {
  const texts = event.tool.input.get("texts").strings();
  const all = Json.array();
  for (let i = 0; i < texts.length; i++) {
    const json = Json.parse(texts[i]);
    all.push(json === null ? Json.null() : Json.string(rebuilt(json).stringify()));
  }
  return context(all.stringify());
}

function rebuilt(json: Json): Json {
  if (json.isString) return Json.string(json.string());
  if (json.isArray) {
    const array = Json.array();
    for (let i = 0; i < json.length; i++) array.push(rebuilt(json.at(i)));
    return array;
  }
  if (json.isObject) {
    const object = Json.object();
    const keys = json.keys();
    for (let i = 0; i < keys.length; i++) object.set(keys[i], rebuilt(json.get(keys[i])));
    return object;
  }
  return json;
}
`;

let guest: RunningComponent;
beforeAll(async () => {
  guest = runComponent(await buildText(REBUILD));
});
afterAll(() => guest[Symbol.asyncDispose]());

/** What the guest made of each text; null where it took it for no JSON. */
async function rebuild(texts: string[]): Promise<(string | null)[]> {
  const answer = await guest.run(
    { event: "preToolCall", cwd: "/", tool: { name: "x", input: { texts } } },
    { limits: { fuel: 1e9, outputBytes: 1 << 24 } },
  );
  if ("failure" in answer) throw answer.failure;
  return JSON.parse(answer.decision.context ?? "[]");
}

function parsed(text: string): { value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Every code unit, lone surrogates included, and often those that JSON is written with. */
const text = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0xd7fe, max: 0xe001 }),
      fc.constantFrom(
        ...'"\\/\n\u0000\u001f\u007f\u0080\u07ff\u0800\uffff'.split("").map((c) => c.charCodeAt(0)),
      ),
    ),
    { maxLength: 40 },
  )
  .map((units) => String.fromCharCode(...units));

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(null, true, false, "", 0, -0),
    fc.array(tie("value"), { maxLength: 12 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 12 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}));

describe("JSON in a guest", () => {
  it("reads and writes every value as JSON.parse and JSON.stringify do", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 40, maxLength: 80 }), async (values) => {
        const back = await rebuild(values.map((one) => JSON.stringify(one)));
        expect(back.map((one) => JSON.parse(one ?? ""))).toEqual(
          values.map((one) => JSON.parse(JSON.stringify(one))),
        );
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it("takes for JSON just what JSON.parse takes for it", async () => {
    const pieces = fc.constantFrom(
      ...'{ } [ ] , : " \\ \\u00e9 \\ud800 \\u12 \\x - + . e E 0 1 01 1.5 1e5 true false null tru \t \n \r \u000b \u00a0 \ufeff a é'.split(
        " ",
      ),
      " ",
    );
    const broken = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
      fc.tuple(value, fc.nat(), fc.nat({ max: 3 }), pieces).map(([one, at, drop, put]) => {
        const json = JSON.stringify(one);
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + drop);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(broken, { minLength: 60, maxLength: 120 }), async (texts) => {
        const back = await rebuild(texts);
        const got = back.map((one) => (one === null ? undefined : { value: JSON.parse(one) }));
        expect(got).toEqual(texts.map(parsed));
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it.each([
    ["a key with escapes", '{"a\\"b":1,"\\n":2,"comm\\u0061nd":3,"\\/":4}'],
    ["a key twice, the last one for good", '{"a":1,"b":2,"a":3}'],
    ["keys of objects' own", '{"__proto__":1,"constructor":2,"":3}'],
    ["surrogates, in pairs and alone", '["\\ud83d\\ude00","\\ud800","\\udc00\\ud800","x\\udfffy","😀"]'],
    ["lone surrogates that are not escaped", '["\ud800","\\\\\udc00"]'],
    ["every short escape", '"\\"\\\\\\/\\b\\f\\n\\r\\t"'],
    ["nothing in anything", '[{},[],"",{"":{}},[[]]]'],
    ["white space everywhere", ' \t\r\n{ "a" : [ 1 , 2 ] , "b" : { } } \n'],
    [
      "more members than are searched one by one",
      `{${Array.from({ length: 40 }, (_, i) => `"k${i % 30}":${i}`)}}`,
    ],
  ])("reads %s", async (_, json) => {
    expect(JSON.parse((await rebuild([json]))[0] ?? "")).toEqual(JSON.parse(json));
  });

  it("takes broken texts for no JSON", async () => {
    const broken = [
      ...'[1} {"a":1] [1,] [,1] [1,,2] [1 {"a":1,} {,} {"a"} {"a":} {1:2} {"a":1,2} {"a""b"} ] } [ { , : 1,2 1]'.split(
        " ",
      ),
      ..."- + +1 01 -01 1. .5 1.e1 1e 1e+ 1e1.5 0x1 --1 1a NaN Infinity nul tru truE true1 fals undefined 'a'".split(
        " ",
      ),
      ...[
        '"',
        '"a',
        '"\\',
        '"\\a"',
        '"\\u12"',
        '"\\u00g0"',
        '"\\x41"',
        '"a"b',
        '"a" "b"',
        "[1 2]",
        "1 2",
        "{} {}",
      ],
      ...["\u001f", "\u0000", "\n", "\t"].flatMap((raw) => [
        `"${raw}"`,
        `"12345678${raw}12345678"`,
        `{"${raw}":1}`,
      ]),
      ...[
        "",
        " ",
        "\ufeff{}",
        "\u00a01",
        "1\u2028",
        "\u000b1",
        "[1]x",
        "// x\n1",
        "\ud800",
        '"\\\ud800"',
        '"\\\\\\\ud800"',
      ],
    ];
    expect(broken.filter((text) => parsed(text) !== undefined)).toEqual([]);
    expect(await rebuild(broken)).toEqual(broken.map(() => null));
  });

  it("keeps every number as it is written", async () => {
    const json = "[12345678901234567890,1.10,1E400,-0,0.1e-7,1e+05,100000000000000000000000000]";
    expect(await rebuild([json])).toEqual([json]);
  });

  it("reads a key of 70,000 characters, and what comes after it", async () => {
    const json = JSON.stringify({ ["k".repeat(70_000)]: 1, command: "git push -f" });
    expect(await rebuild([json])).toEqual([json]);
  });

  it("reads a string of 400 KiB", async () => {
    const json = JSON.stringify('é\ud800x\u0000\n"😀 '.repeat(40_000));
    expect(await rebuild([json])).toEqual([json]);
  });

  it("reads a text that is 1,000 arrays deep", async () => {
    const json = "[".repeat(1000) + "]".repeat(1000);
    expect(await rebuild([json])).toEqual([json]);
  });

  it("says of a text that is 200,000 open arrays deep that it is no JSON", async () => {
    expect(await rebuild(["[".repeat(200_000)])).toEqual([null]);
  });
});
