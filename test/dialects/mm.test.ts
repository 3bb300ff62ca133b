import { describe, expect, it } from "vitest";
import { mm } from "#src/dialects/mm";
import type { HookEvent } from "#src/hooks/event";

const EVENT: HookEvent = {
  event: "preToolCall",
  cwd: "/tmp",
  tool: { name: "bash", input: { command: "ls" } },
};
const end = (stdout: string, exitCode = 0, stderr = "") =>
  mm.readCommand({ exitCode, stdout, stderr }, EVENT);

describe("an mm command", () => {
  it("is run by sh -c", () => {
    expect(mm.shell).toEqual(["sh", "-c"]);
  });

  it("reads the event as one JSON object", () => {
    expect(JSON.parse(mm.encodeStdin(EVENT))).toEqual(EVENT);
  });

  it("has MM_CONFIG_DIR and MM_HOOK_EVENT set", () => {
    expect(mm.commandEnv(EVENT, "/agents")).toEqual({
      MM_CONFIG_DIR: "/agents",
      MM_HOOK_EVENT: "preToolCall",
    });
  });

  it("has no opinion when it prints nothing", () => {
    expect(end("")).toEqual({ decision: {}, notices: [] });
  });

  it("denies with the decision of the document", () => {
    const said = { action: "deny", reason: "force-push is not allowed in this project" };
    expect(end(`${JSON.stringify(said)}\n`)).toMatchObject({ decision: said });
  });

  it("has failed when it exits with anything but 0, whatever it printed", () => {
    expect(end('{"action":"deny"}', 2, "boom\n")).toMatchObject({
      failure: { code: "command-failed", message: "the command exited with 2: boom" },
    });
  });

  it("has failed when its output is not one JSON object", () => {
    expect(end("hello")).toMatchObject({ failure: { code: "bad-decision" } });
    expect(end("{}{}")).toMatchObject({ failure: { code: "bad-decision" } });
    expect(end('["deny"]')).toMatchObject({ failure: { code: "bad-decision" } });
  });
});
