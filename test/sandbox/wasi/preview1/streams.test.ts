import { describe, expect, test } from "vitest";
import { HOST_CALL_FUEL, TEXT_FUEL } from "#src/sandbox/host";
import { LOG_LINES_LIMIT } from "#src/sandbox/run-log";
import { IOVEC_FUEL } from "#src/sandbox/wasi/preview1/iovecs";
import { catCommand, command, READ_ALL, sayingCommand, TEXT } from "../../../support/commands.js";
import { codeOf, exitOf, run, valuesOf } from "./run-command.js";
import { ERRNO } from "./specification.js";

const info = (...messages: string[]) => messages.map((message) => ({ level: "info", message }));

/** Stores a list of buffers at address 16, and makes a call with it. */
function withBuffers(call: string, ...buffers: [address: number, bytes: number][]): string {
  const words = buffers.flat().map((word, i) => `(i32.store (i32.const ${16 + i * 4}) (i32.const ${word}))`);
  return `${words.join(" ")} (drop ${call})`;
}

describe("stdin", () => {
  test.each(["", "{}", "é😀\u0000", "a".repeat(300_000)])("is the event to its last byte", async (event) => {
    expect(exitOf(await run(catCommand(1), { event })).stdout).toBe(event);
  });

  test("fills buffers one after the other, and ends with no bytes", async () => {
    const start = `${withBuffers(
      "(call $fd_read (i32.const 0) (i32.const 16) (i32.const 3) (i32.const 8))",
      [TEXT, 2],
      [TEXT + 10, 0],
      [TEXT + 100, 2],
    )}
      (call $write (i32.const 2) (i32.const ${TEXT}) (i32.const 3))
      (call $write (i32.const 2) (i32.const ${TEXT + 100}) (i32.const 3))
      ${withBuffers("(call $fd_read (i32.const 0) (i32.const 16) (i32.const 1) (i32.const 8))", [TEXT, 9])}
      (call $write (i32.const 2) (i32.const 8) (i32.const 1))
      (drop (call $fd_read (i32.const 0) (i32.const 16) (i32.const 1) (i32.const 8)))
      (call $write (i32.const 2) (i32.const 8) (i32.const 1))`;
    const report = await run(command({ start }), { event: "abcde" });
    expect(report.logs).toEqual(info("ab\0cd\0\u0001\0"));
  });

  test("keeps its place where nothing could be read", async () => {
    const start = `
      ${withBuffers("(call $fd_read (i32.const 0) (i32.const 16) (i32.const 1) (i32.const -1))", [TEXT, 2])}
      ${withBuffers("(call $fd_read (i32.const 0) (i32.const 16) (i32.const 2) (i32.const 8))", [TEXT, 1], [65_536, 1])}
      ${READ_ALL} (call $write (i32.const 1) (i32.const ${TEXT}) (local.get $n))`;
    expect(exitOf(await run(command({ start }), { event: "whole" })).stdout).toBe("whole");
  });
});

describe("stdout", () => {
  test("is what was written, in the order in which it was", async () => {
    const start = withBuffers(
      "(call $fd_write (i32.const 1) (i32.const 16) (i32.const 3) (i32.const 8))",
      [TEXT + 3, 3],
      [0, 0],
      [TEXT, 3],
    );
    expect(exitOf(await run(command({ start, text: "bbbaaa" }))).stdout).toBe("aaabbb");
  });

  test("may have as many bytes as the limit on output, and not one more", async () => {
    const limits = { outputBytes: 100 };
    expect(exitOf(await run(catCommand(1), { event: "é".repeat(50), limits })).stdout).toBe("é".repeat(50));
    const over = await run(catCommand(1), { event: "a".repeat(101), limits });
    expect(over.result).toMatchObject({ failure: { code: "output-too-large", data: { outputBytes: 101 } } });
    expect((over.result as { failure: Error }).failure.message).toContain('over its "output" limit of 100');
  });

  test("cannot get over it in small pieces, nor by the same buffer many times", async () => {
    const piecemeal = command({
      text: "0123456789",
      start: `(loop $again (call $write (i32.const 1) (i32.const ${TEXT}) (i32.const 10)) (br $again))`,
    });
    const repeated = command({
      start: withBuffers(
        "(call $fd_write (i32.const 1) (i32.const 16) (i32.const 300) (i32.const 8))",
        ...new Array<[number, number]>(300).fill([0, 65_536]),
      ),
    });
    expect(codeOf(await run(piecemeal, { limits: { outputBytes: 1005 } }))).toBe("output-too-large");
    expect(codeOf(await run(repeated))).toBe("output-too-large");
  });

  test("has to be UTF-8 where the program succeeds, and is for people where it fails", async () => {
    const start = (code: number) => `
      (i32.store8 (i32.const ${TEXT + 1}) (i32.const 0xff))
      (call $write (i32.const 1) (i32.const ${TEXT}) (i32.const 3))
      (call $proc_exit (i32.const ${code}))`;
    const ok = await run(command({ start: start(0), text: "a-b" }));
    expect(ok.result).toMatchObject({ failure: { code: "bad-output" } });
    expect((ok.result as { failure: Error }).failure.message).toContain("the module's stdout is not UTF-8");
    expect(exitOf(await run(command({ start: start(1), text: "a-b" }))).stdout).toBe("a\ufffdb");
  });
});

describe("stderr", () => {
  test("is the log, a line for each of its lines, and what a dialect reads", async () => {
    const report = await run(sayingCommand({ stderr: "one\n\ntwo\nthree" }));
    expect(report.logs).toEqual(info("one", "", "two", "three"));
    expect(exitOf(report).stderr).toBe("one\n\ntwo\nthree");
    expect((await run(sayingCommand({ stderr: "one\n" }))).logs).toEqual(info("one"));
    expect((await run(sayingCommand({}))).logs).toEqual([]);
  });

  test("is there whatever becomes of the program", async () => {
    const says = "(call $write (i32.const 2) (i32.const 4096) (i32.const 4))";
    const trapped = await run(command({ text: "last words", start: `${says} unreachable` }));
    const dry = await run(command({ text: "last words", start: `${says} (loop $l (br $l))` }));
    expect([codeOf(trapped), trapped.logs]).toEqual(["trap", info("last")]);
    expect([codeOf(dry), dry.logs]).toEqual(["out-of-fuel", info("last")]);
  });

  test("is cut at the limit on the log, between characters, and the log says so", async () => {
    const report = await run(sayingCommand({ stderr: "😀😀😀" }), { limits: { logsBytes: 10 } });
    expect(report.logs).toEqual([
      ...info("😀😀"),
      { level: "warn", message: expect.stringContaining("(2 bytes)") },
    ]);
    expect(exitOf(report).exitCode).toBe(0);
  });

  test("is cut at the cap on lines", async () => {
    const lines = (count: number) => run(sayingCommand({ stderr: "ab\n".repeat(count) }));
    expect((await lines(LOG_LINES_LIMIT)).logs).toHaveLength(LOG_LINES_LIMIT);
    const over = (await lines(LOG_LINES_LIMIT + 3)).logs;
    expect(over).toHaveLength(LOG_LINES_LIMIT + 1);
    expect(over.at(-1)).toMatchObject({ level: "warn", message: expect.stringContaining("(9 bytes)") });
  });

  test("of more than a dialect reads is in the log and cut for the dialect", async () => {
    const report = await run(sayingCommand({ stderr: "a".repeat(70_000) }), {
      limits: { logsBytes: 70_000 },
    });
    expect(report.logs).toEqual(info("a".repeat(70_000)));
    // As much as of a command's stderr.
    expect(exitOf(report).stderr).toHaveLength(65_536);
  });

  test("that is not UTF-8 does no harm", async () => {
    const start = `(i32.store8 (i32.const ${TEXT + 1}) (i32.const 0xff))
      (call $write (i32.const 2) (i32.const ${TEXT}) (i32.const 3))`;
    expect((await run(command({ start, text: "a-b" }))).logs).toEqual(info("a\ufffdb"));
  });
});

describe("pointers", () => {
  const END = 65_536;
  const call = (name: string, fd: number, list: number, count: number, returned: number) =>
    `(call $${name} (i32.const ${fd}) (i32.const ${list}) (i32.const ${count}) (i32.const ${returned}))`;
  const fields = (address: number, bytes: number) => {
    const words = new Uint8Array(new Uint32Array([address, bytes]).buffer);
    return `(data (i32.const 16) "${Array.from(words, (byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("")}")`;
  };

  test.each([
    ["a list beyond the memory", fields(0, 0), END, 1, 8],
    ["a list that ends beyond the memory", fields(0, 0), END - 8, 2, 8],
    ["a list at the last address", fields(0, 0), -1, 1, 8],
    ["a buffer beyond the memory", fields(END + 1, 0), 16, 1, 8],
    ["a buffer that ends a byte beyond the memory", fields(END - 4, 5), 16, 1, 8],
    ["a buffer that wraps around the end of the address space", fields(0xffff_fff0, 0x20), 16, 1, 8],
    ["a buffer of 4 GiB less a byte", fields(0, 0xffff_ffff), 16, 1, 8],
    ["a buffer of 2 GiB", fields(0, 0x8000_0000), 16, 1, 8],
    ["a result beyond the memory", fields(256, 4), 16, 1, END],
    ["a result across the end of the memory", fields(256, 4), 16, 1, END - 3],
    ["a result at the last address", fields(256, 4), 16, 1, -1],
  ])("that are none are a fault: %s", async (_what, data, list, count, returned) => {
    const calls = [call("fd_read", 0, list, count, returned), call("fd_write", 1, list, count, returned)];
    expect(await valuesOf(calls, { fields: data })).toEqual([ERRNO.fault, ERRNO.fault]);
  });

  test("to the very end of the memory are good", async () => {
    const calls = [call("fd_write", 2, 16, 1, END - 4), call("fd_read", 0, END, 0, 8)];
    expect(await valuesOf(calls, { fields: fields(END - 5, 5) })).toEqual([0, 0]);
  });

  test.each(["args_sizes_get", "environ_sizes_get"])("of results of %s are looked at", async (name) => {
    const calls = [
      `(call $${name} (i32.const 65536) (i32.const 0))`,
      `(call $${name} (i32.const 0) (i32.const 65533))`,
    ];
    expect(await valuesOf(calls)).toEqual([ERRNO.fault, ERRNO.fault]);
  });

  test.each([
    "(call $clock_res_get (i32.const 0) (i32.const 65529))",
    "(call $clock_time_get (i32.const 0) (i64.const 0) (i32.const -8))",
    "(call $fd_fdstat_get (i32.const 0) (i32.const 65513))",
    "(call $fd_filestat_get (i32.const 0) (i32.const 65473))",
    "(call $random_get (i32.const 65536) (i32.const 1))",
    "(call $random_get (i32.const 0) (i32.const 0x40000000))",
    "(call $random_get (i32.const -1) (i32.const 2))",
    "(call $poll_oneoff (i32.const 65489) (i32.const 256) (i32.const 1) (i32.const 8))",
    "(call $poll_oneoff (i32.const 256) (i32.const 65505) (i32.const 1) (i32.const 8))",
    "(call $poll_oneoff (i32.const 256) (i32.const 512) (i32.const 1) (i32.const 65533))",
  ])("of %s are looked at", async (text) => {
    expect(await valuesOf([text])).toEqual([ERRNO.fault]);
  });

  test("lead to nothing before the memory is there, which is when a start function runs", async () => {
    const wat = command({
      text: "early",
      fields: "(func $early (call $write (i32.const 2) (i32.const 4096) (i32.const 5))) (start $early)",
      start: "(call $write (i32.const 2) (i32.const 4096) (i32.const 5))",
    });
    expect((await run(wat)).logs).toEqual(info("early"));
  });
});

describe("lists of buffers", () => {
  const write = (count: number | string) =>
    `(call $fd_write (i32.const 1) (i32.const 16) (i32.const ${count}) (i32.const 8))`;

  test("have a cap on their length, whatever is in them", async () => {
    expect(await valuesOf([write(1024), write(1025), write("0xffffffff"), write("0x20000001")])).toEqual([
      0,
      ERRNO.inval,
      ERRNO.inval,
      ERRNO.inval,
    ]);
  });

  test("are paid for, and so is each byte", async () => {
    const fuel = async (buffers: number, bytes: number) => {
      const start = withBuffers(
        `(call $fd_write (i32.const 1) (i32.const 16) (i32.const ${buffers}) (i32.const 8))`,
        [TEXT, bytes],
        [TEXT, 0],
      );
      return (await run(command({ start }))).fuelUsed;
    };
    expect((await fuel(2, 5)) - (await fuel(1, 5))).toBe(IOVEC_FUEL);
    expect((await fuel(1, 5)) - (await fuel(1, 4))).toBe(TEXT_FUEL);
    expect(await fuel(1, 0)).toBeGreaterThanOrEqual(HOST_CALL_FUEL);
    // Passed in, read and written.
    const cat = async (event: string) => (await run(catCommand(1), { event })).fuelUsed;
    expect((await cat("aaa")) - (await cat("aa"))).toBe(3 * TEXT_FUEL);
  });

  test("that come to more bytes than can be told are refused", async () => {
    const calls = withBuffers(
      "(call $fd_write (i32.const 2) (i32.const 16) (i32.const 2) (i32.const 8))",
      [0, 0x8000_0000],
      [0, 0x8000_0000],
    );
    const limits = { memoryBytes: 2 ** 31 + 65_536, fuel: 1e12 };
    const start = `${calls.replace("(drop", "(local.set $i")} (call $proc_exit (local.get $i))`;
    const report = await run(command({ start, pages: 32_769 }), {
      limits: { ...limits, module: { initialMemoryBytes: 2 ** 31 + 65_536 } },
    });
    expect(exitOf(report).exitCode).toBe(ERRNO.inval);
  });

  test("of many gigabytes that overlap end the fuel before they are read", async () => {
    const list = Array.from({ length: 1000 }, (): [number, number] => [0, 4_000_000]);
    const start = withBuffers(
      "(call $fd_write (i32.const 2) (i32.const 16) (i32.const 1000) (i32.const 8))",
      ...list,
    );
    const report = await run(command({ start, pages: 64 }));
    expect([codeOf(report), report.logs]).toEqual(["out-of-fuel", []]);
  });
});
