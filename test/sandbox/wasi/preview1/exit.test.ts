import { describe, expect, test, vi } from "vitest";
import { HOST_CALL_FUEL } from "#src/sandbox/host";
import { command, sayingCommand } from "../../../support/commands.js";
import { codeOf, exitOf, run } from "./run-command.js";

const SAY = "(call $write (i32.const 2) (i32.const 4096) (i32.const 4))";
const exit = (code: number) => `(call $proc_exit (i32.const ${code}))`;

describe("a program ends", () => {
  test("with 0 where its _start returns", async () => {
    expect(exitOf(await run(sayingCommand({ stdout: "{}" })))).toEqual({
      exitCode: 0,
      stdout: "{}",
      stderr: "",
      program: "module",
    });
  });

  test.each([0, 1, 2, 126, 255, 256, 2 ** 31, 2 ** 32 - 1])(
    "with the exit code %i, which is not cut",
    async (code) => {
      expect(exitOf(await run(sayingCommand({ exitCode: code }))).exitCode).toBe(code);
    },
  );

  test("with what it wrote before, and nothing of what would come after", async () => {
    const report = await run(command({ text: "said", start: `${SAY} ${exit(3)} ${SAY}` }));
    expect([exitOf(report), report.logs]).toMatchObject([
      { exitCode: 3, stderr: "said" },
      [{ message: "said" }],
    ]);
  });

  test("in its start function as well, before its _start", async () => {
    const report = await run(
      command({ text: "said", fields: `(func $early ${exit(4)}) (start $early)`, start: SAY }),
    );
    expect([exitOf(report).exitCode, report.logs]).toEqual([4, []]);
  });

  test("by its first exit", async () => {
    expect(exitOf(await run(command({ start: `${exit(5)} ${exit(0)}` }))).exitCode).toBe(5);
  });
});

describe("an exit cannot be caught", () => {
  const swallowing = (body: string) => `try ${body} catch_all end`;

  test.each([
    ["in a handler", swallowing(exit(7))],
    ["in handlers within handlers", swallowing(`${swallowing(exit(7))} ${SAY} ${exit(0)}`)],
    ["in a function that a handler calls", swallowing("(call $deep (i32.const 100))")],
    ["in a loop that tries again", `(loop $again ${swallowing(exit(7))} (br $again))`],
    ["through a table", swallowing("(call_indirect (i32.const 0))")],
  ])("%s", async (_where, start) => {
    const fields = `
      (func $deep (param i32)
        local.get 0
        if
          try (call $deep (i32.sub (local.get 0) (i32.const 1))) catch_all ${SAY} end
        else
          ${exit(7)}
        end
        ${SAY})
      (func $exits ${exit(7)})
      (table 1 funcref) (elem (i32.const 0) $exits)`;
    const report = await run(command({ text: "said", fields, start: `${start} ${SAY}` }));
    expect([exitOf(report).exitCode, report.logs]).toEqual([7, []]);
  });

  test("nor does anything of the program run after it, should it be entered again", async () => {
    let again: (() => void) | undefined;
    const Real = WebAssembly.Instance;
    using _instances = vi.spyOn(WebAssembly, "Instance").mockImplementation(function make(...args) {
      const instance = new Real(...args);
      again = instance.exports.again as () => void;
      return instance;
    });
    const fields = `(func (export "again") ${SAY})`;
    const report = await run(command({ text: "said", fields, start: exit(0) }));
    expect(exitOf(report).exitCode).toBe(0);
    expect(again).toThrow(WebAssembly.RuntimeError);
    expect(report.logs).toEqual([]);
  });
});

describe("an exit costs what it costs", () => {
  test("and what was used up to it is told", async () => {
    const { fuelUsed } = await run(sayingCommand({ exitCode: 0 }));
    expect(fuelUsed).toBeGreaterThan(3 * HOST_CALL_FUEL);
    const exact = await run(sayingCommand({ exitCode: 0 }), { limits: { fuel: fuelUsed } });
    const short = await run(sayingCommand({ exitCode: 0 }), { limits: { fuel: fuelUsed - 1 } });
    expect([codeOf(exact), exact.fuelUsed, codeOf(short)]).toEqual(["exit", fuelUsed, "out-of-fuel"]);
  });

  test("and one that is not paid for is none", async () => {
    const report = await run(command({ start: exit(0) }), { limits: { fuel: HOST_CALL_FUEL } });
    expect(codeOf(report)).toBe("out-of-fuel");
  });
});

describe("whatever else ends a program is a failure", () => {
  test.each([
    ["a trap", { start: "unreachable" }, "trap"],
    [
      "a trap in its start function",
      { fields: "(func $early unreachable) (start $early)", start: "" },
      "trap",
    ],
    ["an access outside of its memory", { start: "(drop (i32.load (i32.const -1)))" }, "trap"],
    ["an exception", { fields: "(tag $oops)", start: "(throw $oops)" }, "trap"],
    ["a loop without end", { start: "(loop $l (br $l))" }, "out-of-fuel"],
    ["calls without end", { fields: "(func $f (call $f) (nop))", start: "(call $f)" }, "stack-exhausted"],
    [
      "an allocation that fails",
      { start: "(if (i32.eq (memory.grow (i32.const 60000)) (i32.const -1)) (then (unreachable)))" },
      "out-of-memory",
    ],
    [
      "calls of the host without end",
      { start: "(loop $l (drop (call $sched_yield)) (br $l))" },
      "out-of-fuel",
    ],
  ])("%s", async (_what, parts, code) => {
    expect(codeOf(await run(command(parts)))).toBe(code);
  });

  test("more calls of the host than there may be", async () => {
    const start = "(loop $l (drop (call $sched_yield)) (br $l))";
    const report = await run(command({ start }), { limits: { fuel: 1e12 } });
    expect(report.result).toMatchObject({ failure: { code: "trap", data: { trap: "too many host calls" } } });
  });
});
