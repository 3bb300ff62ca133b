import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { MAIN, program, wasmhook } from "../support/cli.js";
import { mmAgent } from "./hooks.js";

const CALL = { event: "preToolCall", cwd: tmpdir(), tool: { name: "bash", input: {} } };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("run that is cut short never exits with the code of a refusal:", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends it and its hooks with %i", async (signal, exitCode) => {
    const agent = await mmAgent({
      preToolCall: [{ command: 'echo $$ > "$MM_CONFIG_DIR/pid"; sleep 100', onError: "fail" }],
    });
    const pid = join(dirname(agent), "pid");
    const ended = await wasmhook(["run", "--config", agent, "--json"], {
      stdin: JSON.stringify(CALL),
      started: async (child) => {
        const started = () => existsSync(pid) && readFileSync(pid, "utf8") !== "";
        while (child.exitCode === null && !started()) await sleep(20);
        child.kill(signal);
      },
    });
    expect(ended).toEqual({ exitCode, stdout: "", stderr: "" });
    while (isRunning(Number(readFileSync(pid, "utf8")))) await sleep(20);
  });

  it("a reader of its output that has gone away is no fault", async () => {
    const agent = await mmAgent({ preToolCall: [{ command: "true" }] });
    const ended = await wasmhook(["run", "--config", agent, "--json"], {
      stdin: JSON.stringify(CALL),
      started: (child) => child.stdout?.destroy(),
    });
    expect(ended).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  it.each([
    [{ preToolCall: [{ command: "true" }] }, 1],
    [{ preToolCall: [{ command: `echo '{"action":"deny"}'` }] }, 2],
  ])("an answer that could not be written never passes for go on: %#", async (hooks, exitCode) => {
    if (!existsSync("/dev/full")) {
      process.stdout.write("skipped: this system has no /dev/full\n");
      return;
    }
    const agent = await mmAgent(hooks);
    const line = '"$0" "$1" run --config "$2" >/dev/full';
    const stdin = JSON.stringify(CALL);
    expect((await program("sh", ["-c", line, process.execPath, MAIN, agent], { stdin })).exitCode).toBe(
      exitCode,
    );
  });
});
