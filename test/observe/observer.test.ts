import { expect, test, vi } from "vitest";
import { observers } from "#src/observe/observer";

const RUN = {
  hook: "a",
  label: "a",
  event: "preToolCall",
  runner: "command",
  decided: "nothing",
  durationMs: 1,
} as const;
const EVENT = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: {} } } as const;

test("an observer that throws is a warning of the process, and the others are told", () => {
  using warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const told: string[] = [];
  const all = observers([
    {
      run: () => {
        throw new Error("full");
      },
    },
    { run: ({ hook }) => void told.push(hook) },
  ]);
  all.run(RUN, EVENT, undefined);
  expect(told).toEqual(["a"]);
  expect(warn.mock.calls).toEqual([[new Error("full")]]);
});
