// Writes schema/: the JSON Schemas of events and decisions, from what the built package checks them by.
import { writeFileSync } from "node:fs";
import { decisionJsonSchema, eventJsonSchema } from "../dist/hooks/json-schema.js";

for (const [name, schema] of Object.entries({ event: eventJsonSchema(), decision: decisionJsonSchema() })) {
  const file = `schema/${name}.json`;
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  process.stdout.write(`${file}\n`);
}
