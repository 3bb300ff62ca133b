import { expect, test } from "vitest";
import type { Run } from "#src/hooks/outcome";
import {
  bannerText,
  blockedPrompt,
  deedLines,
  deniedLine,
  deniedTitle,
  noticeLine,
  runLine,
} from "#src/hooks/turn-text";
import { commandHook } from "../support/hooks.js";

const run = (over: Partial<Run>): Run => ({
  hook: "a",
  label: 'node "$MM_CONFIG_DIR/hooks/no-force-push.js"',
  event: "preToolCall",
  runner: "command",
  decided: "nothing",
  durationMs: 1,
  ...over,
});
const byMoment = ({ moment }: { moment: string }) => moment;

test("the banner ends with the hooks by event: hooks: preToolCall×1", () => {
  expect(bannerText([commandHook("a")], byMoment)).toBe("hooks: preToolCall×1");
  const hooks = [commandHook("a", { moment: "preGeneration" }), commandHook("b"), commandHook("c")];
  expect(bannerText(hooks, byMoment)).toBe("hooks: preGeneration×1, preToolCall×2");
  expect(bannerText([], byMoment)).toBe("");
});

test("the line mode shows a denied call as the document does", () => {
  expect(deniedLine("bash", "force-push is not allowed in this project")).toBe(
    "🪝 bash [denied by a hook: force-push is not allowed in this project]",
  );
  expect(deniedLine("bash", undefined)).toBe("🪝 bash [denied by a hook]");
});

test("a reason can neither break the line nor write over the terminal", () => {
  expect(deniedLine("bash", "no\n🪝 bash [allowed]\u001b[2K")).toBe(
    "🪝 bash [denied by a hook: no 🪝 bash [allowed]\\u{1b}[2K]",
  );
});

test("a question that was stopped stands in the history as [prompt blocked by a hook: <reason>]", () => {
  expect(blockedPrompt("secrets")).toBe("[prompt blocked by a hook: secrets]");
  expect(blockedPrompt(undefined)).toBe("[prompt blocked by a hook]");
});

test("a denied call is titled <tool>: <command> — denied by a hook", () => {
  const tool = { name: "bash", input: { command: "git push -f" } };
  expect(deniedTitle(tool)).toBe("bash: git push -f — denied by a hook");
});

test("a call without a command is titled with its path, or its arguments", () => {
  expect(deniedTitle({ name: "fs_write", input: { path: "a.py", content: "x" } })).toBe(
    "fs_write: a.py — denied by a hook",
  );
  expect(deniedTitle({ name: "search", input: { for: "x" } })).toBe('search: {"for":"x"} — denied by a hook');
});

test("a long command is cut, and the title still says that it was denied", () => {
  const title = deniedTitle({ name: "bash", input: { command: `echo ${"字".repeat(100)}` } }, 40);
  // "bash: " and " — denied by a hook" take 6 and 19 columns, "echo " 5, each 字 two, and … one.
  expect(title).toBe("bash: echo 字字字字… — denied by a hook");
});

test("a run is one line: its event, its command and what it decided", () => {
  expect(runLine(run({ event: "preGeneration", label: "context.sh", decided: "context (178 chars)" }))).toBe(
    "🪝 preGeneration  context.sh  context (178 chars)",
  );
  expect(runLine(run({ decided: "deny" }), 50)).toBe('🪝 preToolCall  node "$MM_CONFIG_DIR/hooks/…  deny');
});

test("a notice is one line, and a warning says that it is one", () => {
  expect(noticeLine({ hook: "a", kind: "info", text: "formatted\n2 files" })).toBe("🪝 formatted 2 files");
  expect(noticeLine({ hook: "a", kind: "warning", text: "failed" })).toBe("🪝 warning: failed");
});

test("what a hook did says which hook blocked a call, approved one, or added context", () => {
  const runs = [
    run({ label: "format.sh", decided: "context (3 chars)" }),
    run({ label: "quiet.sh", decided: "nothing" }),
    run({ label: "yes.sh", decided: "allow, input" }),
    run({ label: "broken.sh", decided: "failed" }),
    run({ label: "guard.sh", decided: "deny" }),
  ];
  expect(deedLines(runs, "bash")).toEqual([
    "🪝 format.sh added context",
    "🪝 yes.sh approved bash and rewrote the arguments of bash",
    "🪝 guard.sh blocked bash",
  ]);
});
