import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ended, folder, MAIN, runEvent, wasmhook } from "../support/cli.js";
import { hookComponent } from "../support/components.js";
import { grepGuest } from "../support/guests.js";

const CALL = {
  event: "preToolCall",
  cwd: "/home/ada",
  session: "s1",
  tool: { name: "bash", input: { command: "ls", env: { A: "secret", N: 5 }, list: [{ token: "t" }, "x"] } },
};

function record(cwd: string, event: unknown, ...args: string[]): Promise<Ended> {
  return wasmhook(["record", "--to", "recorded", ...args], {
    cwd,
    stdin: typeof event === "string" ? event : JSON.stringify(event),
  });
}

async function recorded(cwd: string): Promise<unknown[]> {
  const names = (await readdir(join(cwd, "recorded"))).sort();
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(cwd, "recorded", name), "utf8"))),
  );
}

const SILENT = { exitCode: 0, stdout: "", stderr: "" };

describe("wasmhook record", () => {
  test("saves the event as it is, says nothing, and exits with 0", async () => {
    const cwd = await folder();
    expect(await record(cwd, CALL)).toEqual(SILENT);
    expect(await recorded(cwd)).toEqual([CALL]);
    const [name = ""] = await readdir(join(cwd, "recorded"));
    expect(name).toMatch(/^preToolCall-bash-[0-9a-f]{12}\.json$/);
  });

  test("saves the same event once, and another beside it", async () => {
    const cwd = await folder();
    for (const session of ["s1", "s2", "s1"]) await record(cwd, { ...CALL, session });
    expect(await recorded(cwd)).toHaveLength(2);
  });

  test("keeps what it saves from everybody else", async () => {
    const cwd = await folder();
    await record(cwd, CALL);
    const [name = ""] = await readdir(join(cwd, "recorded"));
    expect((await stat(join(cwd, "recorded"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(cwd, "recorded", name))).mode & 0o777).toBe(0o600);
  });

  test.each<[path: string, becomes: object]>([
    ["cwd", { ...CALL, cwd: "/[redacted]" }],
    ["session", { ...CALL, session: "[redacted]" }],
    ["tool.input.env.*", withInput({ env: { A: "[redacted]", N: 0 } })],
    ["tool.input.env", withInput({ env: { A: "[redacted]", N: 0 } })],
    ["**.token", withInput({ list: [{ token: "[redacted]" }, "x"] })],
    ["tool.input.list.1", withInput({ list: [{ token: "t" }, "[redacted]"] })],
    ["tool.input.*.A", withInput({ env: { A: "[redacted]", N: 5 } })],
    ["tool.output", CALL],
    ["input", CALL],
  ])("--redact %s takes out what stands there, and nothing else", async (path, becomes) => {
    const cwd = await folder();
    expect(await record(cwd, CALL, "--redact", path)).toEqual(SILENT);
    expect(await recorded(cwd)).toEqual([becomes]);
  });

  test("--redact may be given more than once", async () => {
    const cwd = await folder();
    await record(cwd, CALL, "--redact", "cwd", "--redact", "tool.**");
    const input = {
      command: "[redacted]",
      env: { A: "[redacted]", N: 0 },
      list: [{ token: "[redacted]" }, "[redacted]"],
    };
    expect(await recorded(cwd)).toEqual([
      { ...CALL, cwd: "/[redacted]", tool: { name: "[redacted]", input } },
    ]);
  });

  test.each(["event", "*", "**"])("--redact %s would leave no event, and is refused", async (path) => {
    const cwd = await folder();
    const { exitCode, stdout, stderr } = await record(cwd, CALL, "--redact", path);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(`--redact ${path} would take out the name of the event`);
    expect(await readdir(cwd)).toEqual([]);
  });

  test("no name in an event leads out of the folder", async () => {
    const cwd = await folder();
    await record(cwd, { event: "../../x", cwd: "/", tool: { name: "/etc/\u001b[2J.expected", input: {} } });
    const [name = "", ...others] = await readdir(join(cwd, "recorded"));
    expect(others).toEqual([]);
    expect(name).toMatch(/^-x--etc-2J-expected-[0-9a-f]{12}\.json$/);
    expect(await readdir(cwd)).toEqual(["recorded"]);
  });

  test("takes the events of agents that are not known here", async () => {
    const cwd = await folder();
    const event = { hook_event_name: "SubagentStop", tool_name: "Task", other: { x: [null, 1.5] } };
    await record(cwd, event);
    await record(cwd, {});
    expect(await recorded(cwd)).toEqual(expect.arrayContaining([event, {}]));
    expect(
      (await readdir(join(cwd, "recorded"))).map((name) => name.replace(/-[0-9a-f]{12}\.json/, "")).sort(),
    ).toEqual(["SubagentStop-Task", "event"]);
  });

  test("saves no more than --most, and says so", async () => {
    const cwd = await folder({ "recorded/a.json": "{}", "recorded/a.expected.json": "{}" });
    expect(await record(cwd, CALL, "--most", "2")).toEqual(SILENT);
    const { exitCode, stdout, stderr } = await record(cwd, { ...CALL, session: "s2" }, "--most", "2");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toBe("recorded holds 2 events, and no more are saved: move some away, or raise --most\n");
    expect(await readdir(join(cwd, "recorded"))).toHaveLength(3);
  });

  test.each<[what: string, stdin: string, args: string[], says: string]>([
    ["what is no JSON", "{", [], "the event is not JSON at line 1"],
    ["what is no object", "[]", [], "the event is not a JSON object: give one object [event-not-object]"],
    ["nothing", "", [], "the event is empty"],
    [
      "what is nested too deep",
      `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
      [],
      "nested deeper than 512 levels",
    ],
    ["a --most that is no number", "{}", ["--most", "x"], "--most x is no whole number"],
    ["an unknown option", "{}", ["--redcat", "x"], "did you mean --redact? [usage]"],
  ])("exits with 1, and never with 2, for %s", async (_, stdin, args, says) => {
    const cwd = await folder();
    const { exitCode, stdout, stderr } = await record(cwd, stdin, ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(says);
    expect(await readdir(cwd)).toEqual([]);
  });

  test("wants a folder, and says where it cannot write to one", async () => {
    const cwd = await folder({ recorded: "a file" });
    expect((await wasmhook(["record"], { cwd, stdin: "{}" })).stderr).toContain("give --to DIR [usage]");
    const { exitCode, stderr } = await record(cwd, CALL);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^wasmhook record: recorded\/.* cannot be written: .* \[file-unwritable\]\n$/);
  });

  test("is a hook of an agent, and what it saved there is run again by wasmhook test", async () => {
    const guard = await hookComponent(grepGuest("rm -rf", '{"action":"deny"}'));
    const program = `"${process.execPath}" "${MAIN}"`;
    const cwd = await folder({
      "guard.wasm": guard,
      "agent.yaml": `hooks:\n  preToolCall:\n    - command: '${program} record --to "$MM_CONFIG_DIR/recorded" --redact cwd'\n`,
    });
    const tool = { name: "bash", input: { command: "rm -rf /" } };
    const { outcome } = await runEvent(join(cwd, "agent.yaml"), { event: "preToolCall", cwd, tool });
    expect(outcome).toMatchObject({ decision: "none", notices: [], runs: [{ decided: "nothing" }] });
    expect(await recorded(cwd)).toEqual([{ event: "preToolCall", cwd: "/[redacted]", tool }]);
    const { exitCode, stdout } = await wasmhook(["test", "guard.wasm", "--events", "recorded", "--update"], {
      cwd,
      stdin: "",
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\nupdated +preToolCall-bash-[0-9a-f]{12}\n {2}deny\n/);
  });
});

function withInput(changed: object): object {
  return { ...CALL, tool: { ...CALL.tool, input: { ...CALL.tool.input, ...changed } } };
}
