import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { FUNCTION_NAMES, isFunctionName } from "#src/sandbox/wasi/preview1/signatures";
import { command } from "../../../support/commands.js";
import { componentFromWat } from "../../../support/components.js";
import { exitOf, run, valuesOf } from "./run-command.js";
import { CALLS, type Call, callingAll, ERRNO, ERRORS, ROOM } from "./specification.js";

const SCRIPT = fileURLToPath(new URL("./on-node.mjs", import.meta.url));
const calls = command(callingAll());

/** What Node's own WASI answers to calls, with nothing but three streams as well. */
function onNode(asked: readonly Call[]): Promise<number[]> {
  const args = ["--no-warnings", SCRIPT, `${ERRORS}`, `${asked.length}`];
  return new Promise((resolve, reject) => {
    // By stderr, since the program may have done something to its stdout.
    const child = execFile(process.execPath, args, { encoding: "latin1" }, (error, _stdout, stderr) => {
      if (error === null) resolve(Array.from(stderr, (char) => char.charCodeAt(0)));
      else reject(error);
    });
    void componentFromWat(command(callingAll(asked))).then((bytes) => child.stdin?.end(bytes));
  });
}

describe("a program that tries every function", () => {
  test("gets what the specification gives a process with three streams, and nothing else", async () => {
    const { stdout } = exitOf(await run(calls));
    const told = CALLS.map(([name, parameters], i) => [name, parameters, stdout.charCodeAt(i)]);
    expect(told).toEqual(CALLS.map(([name, parameters, errno]) => [name, parameters, ERRNO[errno]]));
    expect(stdout).toHaveLength(CALLS.length);
  });

  test("tries all but those that end it or are tried elsewhere", () => {
    const tried = new Set<string>(CALLS.map(([name]) => name));
    expect(FUNCTION_NAMES.filter((name) => !tried.has(name))).toEqual(["proc_exit"]);
  });

  test("gives parameters of the types that Node's own WASI takes", async () => {
    // Node does raise signals.
    const asked = CALLS.filter(([name]) => name !== "proc_raise");
    const theirs = await onNode(asked);
    expect(theirs).toHaveLength(asked.length);
    // Node answers `inval` to whatever has another number or other types of parameters.
    const taken = new Set(asked.flatMap(([name], i) => (theirs[i] === ERRNO.inval ? [] : [name])));
    expect([...taken, "proc_exit", "proc_raise"].toSorted()).toEqual(FUNCTION_NAMES.toSorted());
  });
});

test("there are the functions that Node's own WASI has, and no others", async () => {
  const theirs = await new Promise<string[]>((resolve, reject) => {
    const script =
      "console.log(JSON.stringify(Object.keys(new (require('node:wasi').WASI)({version: 'preview1'}).wasiImport)))";
    execFile(process.execPath, ["--no-warnings", "-e", script], (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout));
      else reject(error);
    });
  });
  expect(FUNCTION_NAMES.toSorted()).toEqual(theirs.toSorted());
});

test.each(["constructor", "toString", "__proto__", "fd_open", ""])("%j is none of them", (name) => {
  expect(isFunctionName(name)).toBe(false);
});

describe("arguments and environment are empty", () => {
  test.each(["args_sizes_get", "environ_sizes_get"])("%s", async (name) => {
    const values = await valuesOf(
      [
        `(call $${name} (i32.const 256) (i32.const 260))`,
        "(i32.load (i32.const 256))",
        "(i32.load (i32.const 260))",
      ],
      { fields: '(data (i32.const 256) "\\01\\01\\01\\01\\01\\01\\01\\01")' },
    );
    expect(values).toEqual([ERRNO.success, 0, 0]);
  });
});

describe("the three streams are what pipes are, and have few rights", () => {
  // The bits of rights in the order of the specification: fd_read is 2, fd_write 64, fd_filestat_get 2 ** 21,
  // poll_fd_readwrite 2 ** 27.
  test.each([
    [0, 2 + 2 ** 21 + 2 ** 27],
    [1, 64 + 2 ** 21 + 2 ** 27],
    [2, 64 + 2 ** 21 + 2 ** 27],
  ])("the descriptor %i", async (fd, rights) => {
    const words = [0, 4, 8, 12, 16, 20].map((offset) => `(i32.load (i32.const ${ROOM + offset}))`);
    const fdstat = await valuesOf([`(call $fd_fdstat_get (i32.const ${fd}) (i32.const ${ROOM}))`, ...words]);
    expect(fdstat).toEqual([0, 0, 0, rights, 0, 0, 0]);
    const status = Array.from({ length: 16 }, (_, i) => `(i32.load (i32.const ${ROOM + i * 4}))`);
    const filestat = await valuesOf(
      [`(call $fd_filestat_get (i32.const ${fd}) (i32.const ${ROOM}))`, ...status],
      {
        fields: `(data (i32.const ${ROOM}) "${"\\ff".repeat(64)}")`,
      },
    );
    // One link, and nothing else that tells anything.
    expect(filestat).toEqual([0, ...[0, 0, 0, 0, 0, 0, 1, 0], ...new Array(8).fill(0)]);
  });

  test("rights can be given up and are gone then", async () => {
    expect(
      await valuesOf([
        "(call $fd_fdstat_set_rights (i32.const 0) (i64.const 2) (i64.const 0))",
        "(call $fd_filestat_get (i32.const 0) (i32.const 256))",
        "(call $fd_fdstat_set_rights (i32.const 0) (i64.const 0x200002) (i64.const 0))",
        "(call $fd_read (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 256))",
        "(call $fd_fdstat_set_rights (i32.const 0) (i64.const 0) (i64.const 0))",
        "(call $fd_read (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 256))",
      ]),
    ).toEqual([0, ERRNO.notcapable, ERRNO.notcapable, 0, 0, ERRNO.notcapable]);
  });

  test("a stream that was closed is not open", async () => {
    expect(
      await valuesOf([
        "(call $fd_close (i32.const 0))",
        "(call $fd_read (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 256))",
        "(call $fd_close (i32.const 0))",
      ]),
    ).toEqual([0, ERRNO.badf, ERRNO.badf]);
  });

  test("a stream that gets another's number takes its place", async () => {
    const start = `
      (drop (call $fd_renumber (i32.const 2) (i32.const 1)))
      (call $write (i32.const 1) (i32.const 4096) (i32.const 4))
      (call $write (i32.const 2) (i32.const 4096) (i32.const 4))`;
    const report = await run(command({ start, text: "text" }));
    expect([exitOf(report).stdout, report.logs]).toEqual(["", [{ level: "info", message: "text" }]]);
  });
});
