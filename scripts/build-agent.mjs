// Builds the small agent of examples/agent, and the module of the demo that it runs.
import { spawnSync } from "node:child_process";
import { buildHook } from "../dist/build/build-hook.js";
import { writeAtomically } from "../dist/build/write-atomically.js";

const { status } = spawnSync("npx", ["tsc", "-p", "examples/agent"], { stdio: "inherit" });
if (status !== 0) process.exit(1);
const { bytes, warnings } = await buildHook("demos/hooks/guard.ts");
process.stderr.write(warnings);
await writeAtomically("demos/hooks/build/guard.wasm", bytes);
