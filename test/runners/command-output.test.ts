import { describe, expect, test } from "vitest";
import { STDERR_LIMIT_BYTES } from "#src/hooks/program-output";
import { STDOUT_LIMIT_BYTES } from "#src/runners/command/run";
import { exited, expectGone, failed, pidsIn, runToEnd } from "./command-support.js";

test("the limits are 1 MiB of stdout and 64 KiB of stderr", () => {
  expect({ STDOUT_LIMIT_BYTES, STDERR_LIMIT_BYTES }).toEqual({
    STDOUT_LIMIT_BYTES: 1_048_576,
    STDERR_LIMIT_BYTES: 65_536,
  });
});

describe("stdout", () => {
  test("just as large as its limit is taken whole", async () => {
    const { stdout } = exited(await runToEnd("head -c 1048576 /dev/zero | tr '\\0' x"));
    expect(stdout).toBe("x".repeat(1_048_576));
  });

  test("one byte larger than its limit is a failure", async () => {
    const failure = failed(await runToEnd("head -c 1048577 /dev/zero | tr '\\0' x"));
    expect(failure).toMatchObject({ code: "output-too-large", data: { outputBytes: 1_048_576 } });
    expect(failure.message).toContain("1048576 bytes");
  });

  test("without an end is cut off at once, and the command with it", async () => {
    const failure = failed(await runToEnd("echo $$ > pid; yes & echo $! >> pid; wait"));
    expect(failure.code).toBe("output-too-large");
    await expectGone(pidsIn("pid"));
  });

  test("in many small pieces arrives in order", async () => {
    const { stdout } = exited(await runToEnd("i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i+1)); done"));
    expect(stdout).toBe(Array.from({ length: 3000 }, (_, i) => `${i}\n`).join(""));
  });

  test("with a character in two pieces is put together", async () => {
    expect(exited(await runToEnd("printf '\\303'; sleep 0.2; printf '\\251'")).stdout).toBe("é");
  });

  // The ill-formed sequences are those of the Unicode Standard, section 3.9, table 3-7.
  test.each([
    ["a lone continuation byte", "\\200"],
    ["an impossible byte", "\\377"],
    ["a cut character", "{}\\303"],
    ["an overlong form", "\\300\\257"],
    ["a surrogate", "\\355\\240\\200"],
    ["a code point above U+10FFFF", "\\364\\220\\200\\200"],
    ["Latin-1", "caf\\351!"],
  ])("with %s is bad output", async (_what, bytes) => {
    const failure = failed(await runToEnd(`printf '${bytes}'`));
    expect(failure).toMatchObject({ code: "bad-output", data: {} });
    expect(failure.message).toContain("not UTF-8");
  });

  test("with random bytes is bad output", async () => {
    expect(failed(await runToEnd("head -c 10000 /dev/urandom")).code).toBe("bad-output");
  });

  test("with a null character is text", async () => {
    expect(exited(await runToEnd("printf 'a\\000b'")).stdout).toBe("a\0b");
  });

  test("with a byte order mark is text without it", async () => {
    expect(exited(await runToEnd("printf '\\357\\273\\277{}'")).stdout).toBe("{}");
  });

  test("that is not UTF-8 does not hide the exit code of a command that refuses", async () => {
    expect(exited(await runToEnd("printf '\\377'; echo no >&2; exit 2"))).toEqual({
      exitCode: 2,
      stdout: "\uFFFD",
      stderr: "no\n",
    });
  });
});

describe("stderr", () => {
  test("beyond its limit is dropped and fails nothing", async () => {
    const { exitCode, stdout, stderr } = exited(
      await runToEnd("head -c 3000000 /dev/zero | tr '\\0' e >&2; echo '{}'; exit 2"),
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "{}\n" });
    expect(stderr).toBe("e".repeat(65_536));
  });

  test("is cut between two characters", async () => {
    const { stderr } = exited(await runToEnd("printf a >&2; yes 日本 | head -c 100000 >&2"));
    expect(stderr).not.toContain("\uFFFD");
    expect(Buffer.byteLength(stderr)).toBeGreaterThan(65_536 - 4);
    expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(65_536);
  });

  test("that is not UTF-8 is shown with replacement characters", async () => {
    expect(exited(await runToEnd("printf 'caf\\351' >&2")).stderr).toBe("caf\uFFFD");
  });
});

test("a command that fills stdout, stderr and ignores its stdin does not lock up", async () => {
  const flood = "head -c 900000 /dev/zero | tr '\\0'";
  const result = await runToEnd(`${flood} e >&2; ${flood} o; ${flood} e >&2`, { stdin: "x".repeat(900_000) });
  const { exitCode, stdout, stderr } = exited(result);
  expect({ exitCode, stdout: stdout.length, stderr: stderr.length }).toEqual({
    exitCode: 0,
    stdout: 900_000,
    stderr: 65_536,
  });
});
