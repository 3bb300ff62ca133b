import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { type HookEvent, loadHooks, type Notice, type Run } from "#src/index";
import { folder } from "../support/cli.js";
import { mmAgent, says } from "./hooks.js";

const EVENT: HookEvent = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: { command: "ls" } } };

it("each hook that ran and each notice is told as soon as it is there, and written to the audit file", async () => {
  const audit = join(await folder(), "audit.jsonl");
  const agent = await mmAgent({
    preToolCall: [
      await says("wasm", { input: { command: "ls -l" }, notice: "longer" }),
      { command: "exit 3" },
      await says("command", { action: "deny", reason: "no" }),
    ],
  });
  const runs: [Run, HookEvent][] = [];
  const notices: Notice[] = [];
  const hooks = await loadHooks(agent, {
    audit,
    onRun: (run, event) => runs.push([run, event]),
    onNotice: (notice) => notices.push(notice),
  });
  const outcome = await hooks.run(EVENT);
  await hooks.close();
  expect(runs.map(([run]) => run)).toEqual(outcome.runs);
  expect(runs.map(([, { tool }]) => tool?.input.command)).toEqual(["ls", "ls -l", "ls -l"]);
  expect(notices).toEqual(outcome.notices);
  expect(notices).toHaveLength(2);
  const lines = (await readFile(audit, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { decided: "input, notice", input: '{"command":"ls"}' },
    { decided: "failed", error: { code: "command-failed" }, input: '{"command":"ls -l"}' },
    { decided: "deny", reason: "no" },
  ]);
});

it("what a listener throws changes nothing of what the hooks decided", async () => {
  using warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const agent = await mmAgent({ preToolCall: [await says("command", { action: "deny" })] });
  await using hooks = await loadHooks(agent, {
    onRun: () => {
      throw new Error("mine");
    },
  });
  expect(await hooks.run(EVENT)).toMatchObject({ decision: "deny" });
  expect(warn.mock.calls).toEqual([[new Error("mine")]]);
});
