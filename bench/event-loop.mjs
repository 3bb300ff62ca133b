// How long an embedding program's event loop is held up while it runs 200 calls at once: some hooks hang, some crash.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { loadHooks } from "../dist/index.js";
import { component } from "./fuel-price/boundary.mjs";

const CALLS = 200;
const GOAL_MS = 50;
const RESOLUTION_MS = 1;
const HOOKS = `
hooks:
  preToolCall:
    - { matcher: ^fine$, wasm: fine.wasm }
    - { matcher: ^command$, command: "true" }
    - { matcher: ^loop$, wasm: loop.wasm, limits: { fuel: 1000000G, deadline: 300ms } }
    - { matcher: ^burn$, wasm: loop.wasm, limits: { fuel: 1M } }
    - { matcher: ^trap$, wasm: trap.wasm }
    - { matcher: ^hang$, command: sleep 100, timeout: 300ms }
`;
const TOOLS = ["fine", "command", "loop", "burn", "trap", "hang"];

const folder = await mkdtemp(join(tmpdir(), "wasmhook-bench-"));
await writeFile(join(folder, "agent.yaml"), HOOKS);
await writeFile(join(folder, "fine.wasm"), await component({}));
await writeFile(join(folder, "loop.wasm"), await component({ handle: "(loop $for_ever (br $for_ever))" }));
await writeFile(join(folder, "trap.wasm"), await component({ handle: "unreachable" }));

const hooks = await loadHooks(join(folder, "agent.yaml"));
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const start = performance.now();
const outcomes = await Promise.all(
  Array.from({ length: CALLS }, (_, i) => {
    const tool = { name: TOOLS[i % TOOLS.length], input: { i } };
    return hooks.run({ event: "preToolCall", cwd: folder, tool });
  }),
);
const tookMs = performance.now() - start;
delay.disable();
await hooks.close();
await rm(folder, { recursive: true });

const failed = outcomes.filter(({ runs }) => runs[0]?.error !== undefined).length;
// What a turn of the loop takes that does nothing is the resolution.
const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
const max = ms(delay.max);
process.stdout.write(`Node ${process.version}: ${CALLS} calls at once, ${failed} of which fail, in ${tookMs.toFixed(0)} ms
  the event loop is held up for at most ${max.toFixed(1)} ms   (goal: at most ${GOAL_MS})${max > GOAL_MS ? "  OVER" : ""}
  99 of 100 times for no more than ${ms(delay.percentile(99)).toFixed(1)} ms
`);
