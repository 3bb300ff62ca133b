// The main job, as the README shows it: two events through a command hook and a wasm hook.
import { spawnSync } from "node:child_process";

const EXPECTED = { "push.json": 0, "force-push.json": 2 };

for (const [event, expected] of Object.entries(EXPECTED)) {
  const args = ["run", "--config", "demos/chain/agent.yaml", "--event", `demos/chain/${event}`];
  process.stdout.write(`\n$ wasmhook ${args.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], { stdio: "inherit" });
  process.stdout.write(`[exit code ${status}]\n`);
  if (status !== expected) process.exitCode = 1;
}
