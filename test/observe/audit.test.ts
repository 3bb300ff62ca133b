import { chmod, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HookEvent } from "#src/hooks/event";
import type { Notice, Run } from "#src/hooks/outcome";
import { type AuditOptions, auditor } from "#src/observe/audit";
import { folder } from "../support/cli.js";

const RUN: Run = {
  hook: "preToolCall[0]",
  label: "guard.sh",
  event: "preToolCall",
  runner: "command",
  decided: "deny",
  durationMs: 1.23456,
};
const EVENT: HookEvent = {
  event: "preToolCall",
  cwd: "/work",
  session: "s",
  tool: { name: "bash", input: { command: "curl -H 'Authorization: Bearer abc123'" } },
};

async function audited(
  options: Partial<AuditOptions>,
  runs: [Run, HookEvent, string | undefined][],
): Promise<{ file: string; lines: Record<string, unknown>[]; notices: Notice[] }> {
  const file = options.file ?? join(await folder(), "audit.jsonl");
  const notices: Notice[] = [];
  const observer = auditor({ ...options, file }, (notice) => notices.push(notice));
  for (const run of runs) observer.run?.(...run);
  await observer.close?.();
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.split("\n").filter(Boolean);
  return { file, lines: lines.map((line) => JSON.parse(line)), notices };
}

describe("an audit file", () => {
  test("has a line of JSON for each run, which only its user may read", async () => {
    const { file, lines } = await audited({}, [
      [RUN, EVENT, "not here"],
      [
        { ...RUN, decided: "failed", error: { code: "out-of-fuel", message: "it ran out" } },
        EVENT,
        undefined,
      ],
    ]);
    expect(lines).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        session: "s",
        cwd: "/work",
        event: "preToolCall",
        tool: "bash",
        input: `{"command":"curl -H 'Authorization: Bearer abc123'"}`,
        hook: "preToolCall[0]",
        label: "guard.sh",
        runner: "command",
        decided: "deny",
        reason: "not here",
        durationMs: 1.235,
      },
      expect.objectContaining({ decided: "failed", error: { code: "out-of-fuel", message: "it ran out" } }),
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("is appended to", async () => {
    const { file } = await audited({}, [[RUN, EVENT, undefined]]);
    expect((await audited({ file }, [[RUN, EVENT, undefined]])).lines).toHaveLength(2);
  });

  test("holds no secret that a pattern finds, not even in part where a text is cut", async () => {
    const token = "abc123";
    const long = { ...EVENT, tool: { name: "bash", input: { command: `${"a".repeat(1983)}${token}` } } };
    const { file, lines } = await audited({ redact: [/abc123/] }, [
      [{ ...RUN, label: `run ${token}`, error: { code: "trap", message: token } }, EVENT, `no ${token}`],
      [RUN, long, `${"a".repeat(1995)}${token}`],
    ]);
    expect(await readFile(file, "utf8")).not.toContain("abc1");
    expect(lines[0]).toMatchObject({
      input: `{"command":"curl -H 'Authorization: Bearer [redacted]'"}`,
      label: "run [redacted]",
      reason: "no [redacted]",
      error: { message: "[redacted]" },
    });
  });

  test("holds no secret where a line starts with one, or in a key, or in any other text of the event", async () => {
    const secret = "sk-12345";
    const event = {
      ...EVENT,
      cwd: `/work/${secret}`,
      session: secret,
      agent: secret,
      tool: { name: secret, input: { [secret]: [`first\n${secret}\t"-----\nKEY\n-----"`] } },
    };
    const { file, lines } = await audited({ redact: [/\bsk-\w+/, /-----\n[^-]*\n-----/] }, [
      [RUN, event, undefined],
    ]);
    expect(await readFile(file, "utf8")).not.toMatch(/12345|KEY/);
    expect(lines[0]?.input).toBe('{"[redacted]":["first\\n[redacted]\\t\\"[redacted]\\""]}');
  });

  test("that others may read is theirs no longer, and a link is not followed", async () => {
    const at = await folder({ "audit.jsonl": "", "other.txt": "" });
    const file = join(at, "audit.jsonl");
    await chmod(file, 0o644);
    await audited({ file }, [[RUN, EVENT, undefined]]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const link = join(at, "link.jsonl");
    await symlink(join(at, "other.txt"), link);
    expect((await audited({ file: link }, [[RUN, EVENT, undefined]])).notices).toHaveLength(1);
    expect(await readFile(join(at, "other.txt"), "utf8")).toBe("");
  });

  test("that another process has just moved away loses nothing", async () => {
    const file = join(await folder(), "audit.jsonl");
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        audited({ file, limitBytes: 1 }, [
          [RUN, EVENT, "a"],
          [RUN, EVENT, "b"],
        ]),
      ),
    );
    expect(all.flatMap(({ notices }) => notices)).toEqual([]);
  });

  test("has reasons and arguments cut to 2,000 characters", async () => {
    const { lines } = await audited({}, [[RUN, EVENT, "😀".repeat(5000)]]);
    expect([...String(lines[0]?.reason)]).toEqual([...Array(1999).fill("😀"), "…"]);
  });

  test("that is over its size becomes the one before, and nothing is lost of the last", async () => {
    const first = await audited({}, [[RUN, EVENT, "first"]]);
    const limitBytes = (await stat(first.file)).size;
    const second = await audited({ file: first.file, limitBytes }, [[RUN, EVENT, "second"]]);
    expect(second.lines).toMatchObject([{ reason: "second" }]);
    expect(await readdir(join(first.file, ".."))).toEqual(["audit.jsonl", "audit.jsonl.1"]);
    expect(await readFile(`${first.file}.1`, "utf8")).toContain('"first"');
  });

  test("that cannot be written is told once, with what to do", async () => {
    const { notices } = await audited({ file: "/dev/null/audit.jsonl" }, [
      [RUN, EVENT, undefined],
      [RUN, EVENT, undefined],
    ]);
    expect(notices).toMatchObject([
      { kind: "warning", text: expect.stringContaining("/dev/null/audit.jsonl") },
    ]);
  });

  test("that does not keep up loses what comes on top of 10,000 lines, and says so", async () => {
    const runs = Array.from({ length: 10_005 }, (): [Run, HookEvent, undefined] => [RUN, EVENT, undefined]);
    const { lines, notices } = await audited({}, runs);
    // Those that are being written wait no more.
    expect(lines.length).toBeGreaterThanOrEqual(10_000);
    expect(lines.length).toBeLessThan(10_005);
    expect(notices).toMatchObject([{ text: expect.stringContaining("keep up") }]);
  });

  test.each([0, 1.5, Number.NaN])("has no size of %s bytes", (limitBytes) => {
    expect(() => auditor({ file: "a", limitBytes }, () => {})).toThrow(
      expect.objectContaining({ code: "usage" }),
    );
  });
});
