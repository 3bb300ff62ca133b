import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { casesIn } from "#src/cli/test/case-files";
import { WasmhookError } from "#src/errors";
import { MOMENTS, type Moment } from "#src/hooks/event";
import { isJsonObject } from "#src/hooks/json";
import { decisionJsonSchema, eventJsonSchema, SCHEMA_VERSION } from "#src/hooks/json-schema";
import { parseDecision } from "#src/hooks/parse-decision";
import { parseEvent } from "#src/hooks/parse-event";
import { CONTRACT } from "#src/sandbox/inspect/contract";

const ROOT = new URL("../../", import.meta.url);
const EXAMPLES = ["auto-approve", "no-force-push", "pin-context", "protect-paths", "redact-secrets"];

async function checkedIn(name: string): Promise<{ $id: string }> {
  return JSON.parse(await readFile(new URL(`schema/${name}.json`, ROOT), "utf8"));
}

async function validator(name: string, path = ""): Promise<ValidateFunction> {
  const ajv = new Ajv2020({ allErrors: true });
  const schema = await checkedIn(name);
  ajv.addSchema(schema);
  const validate = ajv.getSchema(`${schema.$id}${path}`);
  if (validate === undefined) throw new Error(`there is no ${name}${path}`);
  return validate;
}

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof WasmhookError) return false;
    throw error;
  }
}

describe("schema/", () => {
  test("is what the build makes of it: mend it with npm run build:schema", async () => {
    expect(await checkedIn("event")).toEqual(eventJsonSchema());
    expect(await checkedIn("decision")).toEqual(decisionJsonSchema());
  });

  test("is of the version of the contract", () => {
    expect(SCHEMA_VERSION).toBe(CONTRACT.version);
  });
});

/** Values of other types, and texts that are none: each in place of every field. */
const WRONG = [null, 5, "", "relative", [], {}, true, undefined];

/** A value, and the same with each field, however deep, left out or replaced. */
function* mutants(value: unknown): Generator<unknown> {
  yield value;
  if (!isJsonObject(value)) return;
  yield { ...value, extra: 1 };
  for (const [key, inner] of Object.entries(value)) {
    for (const wrong of WRONG) yield JSON.parse(JSON.stringify({ ...value, [key]: wrong }));
    for (const mutant of mutants(inner)) yield { ...value, [key]: mutant };
  }
}

describe("the schema of the event", () => {
  test("accepts and refuses what parseEvent does: the examples' events, and those with a field changed", async () => {
    const validate = await validator("event");
    const counts = { accepted: 0, refused: 0 };
    for (const name of EXAMPLES) {
      for (const { eventFile } of await casesIn(
        fileURLToPath(new URL(`guest-examples/${name}/events`, ROOT)),
      )) {
        const event = JSON.parse(await readFile(eventFile, "utf8"));
        expect(validate(event)).toBe(true);
        for (const mutant of mutants(event)) {
          const accepted = accepts(() => parseEvent(mutant));
          expect([mutant, validate(mutant)]).toEqual([mutant, accepted]);
          counts[accepted ? "accepted" : "refused"]++;
        }
      }
    }
    expect(counts.accepted).toBeGreaterThan(1000);
    expect(counts.refused).toBeGreaterThan(1000);
  });

  test.each(MOMENTS)("of %s is one of its definitions", async (moment) => {
    const validate = await validator("event", `#/$defs/${moment}`);
    const tool = { name: "t", input: {} };
    const all = { cwd: "/", prompt: "p", response: "r", tool };
    for (const event of MOMENTS) expect(validate({ event, ...all })).toBe(event === moment);
  });

  test.each([
    ["a tool's name of 1024 characters", "x".repeat(1024), true],
    ["a longer one", "x".repeat(1025), false],
  ])("has the limit of %s", async (_, name, accepted) => {
    const event = { event: "preToolCall", cwd: "/", tool: { name, input: {} } };
    expect((await validator("event"))(event)).toBe(accepted);
    expect(accepts(() => parseEvent(event))).toBe(accepted);
  });
});

/** Each field of a decision: left out, right, and wrong. */
const FIELDS: Record<string, unknown[]> = {
  action: [undefined, "deny", "allow", "ask", "stop", "block"],
  reason: [undefined, "r", 5],
  response: [undefined, "r", null],
  input: [undefined, { a: [1] }, []],
  prompt: [undefined, "p", {}],
  context: [undefined, "c", 1],
  notice: [undefined, "n", true],
  unknown: [undefined, 1],
};

function* decisions(fields = Object.entries(FIELDS)): Generator<object> {
  const [first, ...rest] = fields;
  if (first === undefined) return yield {};
  const [key, values] = first;
  for (const others of decisions(rest)) {
    for (const value of values) yield value === undefined ? others : { [key]: value, ...others };
  }
}

describe("the schema of the decision", () => {
  test.each<Moment>([...MOMENTS])("at %s accepts and refuses what parseDecision does", async (moment) => {
    const validate = await validator("decision", `#/$defs/${moment}`);
    const differing = [...decisions()].filter((decision) => {
      return validate(decision) !== accepts(() => parseDecision(JSON.stringify(decision), moment));
    });
    expect(differing).toEqual([]);
  });

  test("accepts what is legal at any moment, and nothing else", async () => {
    const validate = await validator("decision");
    const legal = (decision: object) =>
      MOMENTS.some((moment) => accepts(() => parseDecision(JSON.stringify(decision), moment)));
    expect([...decisions()].filter((decision) => validate(decision) !== legal(decision))).toEqual([]);
    for (const none of [null, [], "deny"]) expect(validate(none)).toBe(false);
  });
});
