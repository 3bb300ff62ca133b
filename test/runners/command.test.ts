import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mm } from "#src/dialects/mm";
import { mnemoai } from "#src/dialects/mnemoai";
import type { HookEvent } from "#src/hooks/event";
import type { Hook } from "#src/hooks/hook";
import { anyTool } from "#src/hooks/matcher";
import { ALL_GRANTS } from "#src/hooks/may";
import { commandRunner } from "#src/runners/command";
import { cwd, isAlive, pidsIn, until } from "./command-support.js";

const hook = (command: string, timeoutMs = 20_000): Hook => ({
  id: "preToolCall[0]",
  moment: "preToolCall",
  matcher: anyTool(),
  runner: { kind: "command", command, timeoutMs },
  onError: "warn",
  may: ALL_GRANTS,
});
const event = (): HookEvent => ({
  event: "preToolCall",
  cwd,
  tool: { name: "bash", input: { command: "ls" } },
});

describe("an mm hook", () => {
  test("is run by sh in the event's directory with the event on stdin and its variables", async () => {
    const command = `cat > seen; [ "$(pwd -P)" = "$WANTED" ] && echo "{\\"action\\":\\"deny\\",\\"reason\\":\\"$0 $MM_CONFIG_DIR $MM_HOOK_EVENT $(cat seen | tr -d '"')\\"}"`;
    const runner = commandRunner(mm, "/etc/agent");
    const answer = await runner.run(hook(`WANTED='${realpathSync(cwd)}'; ${command}`), event());
    expect(answer).toMatchObject({
      decision: {
        action: "deny",
        reason: `sh /etc/agent preToolCall {event:preToolCall,cwd:${cwd},tool:{name:bash,input:{command:ls}}}`,
      },
    });
    expect(answer.durationMs).toBeGreaterThan(0);
    await runner.close();
  });

  test("that exits with another code than 0 failed", async () => {
    const answer = await commandRunner(mm, "/").run(hook("echo why >&2; exit 3"), event());
    expect(answer).toMatchObject({
      failure: { code: "command-failed", data: { exitCode: 3, stderr: "why" } },
    });
  });

  test("that overruns its timeout failed", async () => {
    const answer = await commandRunner(mm, "/").run(hook("sleep 5", 100), event());
    expect(answer).toMatchObject({ failure: { code: "deadline", data: { deadlineMs: 100 } } });
    expect(answer.durationMs).toBeGreaterThan(0);
  });
});

describe("an mnemoai hook", () => {
  test("is run by bash and refuses with exit code 2", async () => {
    const command = `x=(no "$MNEMOAI_HOOK_EVENT" "$MNEMOAI_TOOL_NAME"); echo "\${x[*]}" >&2; exit 2`;
    expect(await commandRunner(mnemoai, "/").run(hook(command), event())).toMatchObject({
      decision: { action: "deny", reason: "no PreToolUse bash" },
    });
  });
});

describe("the runner", () => {
  test("passes an abort on", async () => {
    const answer = await commandRunner(mm, "/").run(hook("touch ran"), event(), AbortSignal.abort());
    expect(answer).toMatchObject({ failure: { code: "aborted" } });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  test("ends what runs when it is closed, what ignores SIGTERM included, and waits for that", async () => {
    const runner = commandRunner(mm, "/");
    const stubborn = hook("trap '' TERM; sleep 100 & echo $$ $! >> pids; touch ready; wait");
    const answer = runner.run(stubborn, event());
    await until(() => existsSync(join(cwd, "ready")), "it runs");
    await runner.close();
    expect(pidsIn("pids").filter(isAlive)).toEqual([]);
    expect(await answer).toMatchObject({ failure: { code: "aborted" } });
  });

  test("waits, when it is closed, for the end of what overran its deadline", async () => {
    const runner = commandRunner(mm, "/");
    await runner.run(hook("trap '' TERM; echo $$ > pids; sleep 100", 1_000), event());
    await runner.close();
    expect(pidsIn("pids").filter(isAlive)).toEqual([]);
  });

  test("starts nothing once it is closed", async () => {
    const runner = commandRunner(mm, "/");
    await runner.close();
    await runner.close();
    expect(await runner.run(hook("touch ran"), event())).toMatchObject({ failure: { code: "closed" } });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  test("refuses a hook that is not a command", async () => {
    const wasm = { ...hook(""), runner: { kind: "wasm" } } as unknown as Hook;
    await expect(commandRunner(mm, "/").run(wasm, event())).rejects.toThrow(TypeError);
  });
});
