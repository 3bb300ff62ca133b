// Builds guest-examples/NAME/hook.ts to guest-examples/NAME/build/NAME.wasm, all of them or those named.
import { readdirSync } from "node:fs";
import { buildHook } from "../dist/build/build-hook.js";
import { writeAtomically } from "../dist/build/write-atomically.js";

const FOLDER = "guest-examples";
const all = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const names = process.argv.length > 2 ? process.argv.slice(2) : all.map(({ name }) => name);

for (const name of names) {
  const out = `${FOLDER}/${name}/build/${name}.wasm`;
  const { bytes, warnings } = await buildHook(`${FOLDER}/${name}/hook.ts`);
  process.stderr.write(warnings);
  await writeAtomically(out, bytes);
  process.stdout.write(`${out}: ${bytes.length.toLocaleString("en")} bytes\n`);
}
