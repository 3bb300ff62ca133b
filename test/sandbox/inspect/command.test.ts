import { describe, expect, test } from "vitest";
import { inspect } from "#src/sandbox/inspect";
import { FUNCTION_NAMES } from "#src/sandbox/wasi/preview1/signatures";
import { command, imported, sayingCommand } from "../../support/commands.js";
import { componentFromWat } from "../../support/components.js";
import { echoGuest } from "../../support/guests.js";
import { refusalOf } from "../../support/refusals.js";

const MEMORY = '(memory (export "memory") 1)';
const START = '(func (export "_start"))';

async function refusalOfText(wat: string) {
  return refusalOf(await componentFromWat(wat));
}

describe("a command is accepted", () => {
  test("that imports nothing", async () => {
    expect(inspect(await componentFromWat(`(module ${MEMORY} ${START})`))).toMatchObject({
      kind: "command",
      version: "preview1",
      imports: [],
      exports: [],
      coreInstances: 1,
      componentInstances: 0,
    });
  });

  test("that imports all of preview 1", async () => {
    const wat = `(module ${FUNCTION_NAMES.map(imported).join(" ")} ${MEMORY} ${START})`;
    const { imports } = inspect(await componentFromWat(wat));
    expect(imports).toEqual([{ name: "wasi_snapshot_preview1", functions: FUNCTION_NAMES, types: [] }]);
  });

  test("that imports a function twice, and exports more than it has to", async () => {
    const twice = imported("fd_close") + imported("fd_close").replace("$fd_close", "$again");
    const wat = `(module ${twice} ${MEMORY} ${START} (func (export "__main_void")) (global (export "x") i32 i32.const 0))`;
    expect(inspect(await componentFromWat(wat)).imports[0]?.functions).toEqual(["fd_close", "fd_close"]);
  });

  test("and its sections are told by name", async () => {
    const { sections, modules, bytes } = inspect(await componentFromWat(sayingCommand({})));
    expect(sections.map(({ name }) => name)).toEqual([
      "type",
      "import",
      "function",
      "memory",
      "export",
      "code",
      "data",
      'custom "name"',
    ]);
    expect(modules).toMatchObject([{ range: { start: 0, end: bytes }, instances: 1, imports: 1 }]);
  });

  test("and what is told of it is plain data, which crosses to another thread unchanged", async () => {
    const inspection = inspect(await componentFromWat(command({ start: "" })));
    expect(structuredClone(inspection)).toEqual(inspection);
  });
});

describe("a core module that is no command is refused, and told what would be one", () => {
  test.each([
    ["the core of a component", echoGuest, /it exports no _start; build .* or make a component of it/],
    ["nothing", "(module)", /it exports no _start/],
    [
      "a reactor",
      `(module ${MEMORY} (func (export "_initialize")))`,
      /it is a reactor, which exports _initialize/,
    ],
    [
      "a reactor that is a command too",
      `(module ${MEMORY} ${START} (func (export "_initialize")))`,
      /it is a reactor/,
    ],
    [
      "a _start with a parameter",
      `(module ${MEMORY} (func (export "_start") (param i32)))`,
      /its _start is no function that takes and gives nothing/,
    ],
    [
      "a _start with a result",
      `(module ${MEMORY} (func (export "_start") (result i32) (i32.const 0)))`,
      /its _start is no function/,
    ],
    [
      "a _start that is a memory",
      '(module (memory (export "_start") (export "memory") 1))',
      /its _start is no/,
    ],
    ["no memory", `(module ${START})`, /it exports no memory named "memory"/],
    ["a memory that is a function", `(module ${START} (func (export "memory")))`, /it exports no memory/],
  ])("%s", async (_what, wat, says) => {
    const error = await refusalOfText(wat);
    expect(error.code).toBe("core-module");
    expect(error.message).toMatch(says);
  });
});

describe("an import that a command is not given is refused by its name", () => {
  test.each([
    ["another module", "env", "abort", "(func)", /abort from env, and a WASI command is given only/],
    ["an older WASI", "wasi_unstable", "fd_close", "(func (param i32) (result i32))", /older WASI/],
    [
      "a newer WASI",
      "wasi:cli/exit@0.2.0",
      "exit",
      "(func (param i32))",
      /is given only wasi_snapshot_preview1/,
    ],
    ["threads", "wasi", "thread-spawn", "(func (param i32) (result i32))", /is given only/],
    [
      "the host of components",
      "wasmhook:hook/host@1.0.0",
      "log",
      "(func (param i32 i32 i32))",
      /is given only/,
    ],
    ["a function that there is not", "wasi_snapshot_preview1", "fd_open", "(func)", /no such function/],
    ["a member of every object", "wasi_snapshot_preview1", "valueOf-x", "(func)", /no such function/],
    ["a memory of its own", "env", "memory", "(memory 1)", /is given only/],
    [
      "a function as a global",
      "wasi_snapshot_preview1",
      "fd_close",
      "(global i32)",
      /as global i32 where it is func\(i32\) -> i32;/,
    ],
    [
      "a function as a memory",
      "wasi_snapshot_preview1",
      "fd_close",
      "(memory 1)",
      /as memory of 1 or more pages where/,
    ],
    [
      "a function as a table",
      "wasi_snapshot_preview1",
      "fd_close",
      "(table 1 funcref)",
      /as table of 1 or more funcref where/,
    ],
    ["a function as a tag", "wasi_snapshot_preview1", "fd_close", "(tag)", /as tag\(\) where/],
  ])("%s", async (_what, module, name, item, says) => {
    const error = await refusalOfText(
      `(module (import "${module}" "${name}" ${item}) ${item.startsWith("(memory") ? "" : MEMORY} ${START}
        ${item.startsWith("(memory") ? '(export "memory" (memory 0))' : ""})`,
    );
    expect(error).toMatchObject({ code: "import-refused", data: { name: `${module} ${name}` } });
    expect(error.message).toMatch(says);
  });

  test.each([
    ["(param i32) (result i64)", "as func(i32) -> i64 where it is func(i32, i64, i32) -> i32"],
    ["(param i32 i32 i32) (result i32)", "as func(i32, i32, i32) -> i32 where"],
    ["(param i32 i64 i32)", "as func(i32, i64, i32) where"],
    ["(param i32 i64 i32) (result i32 i32)", "as func(i32, i64, i32) -> (i32, i32) where"],
    [`(param ${"i64 ".repeat(900)})`, `as func(${"i64, ".repeat(16)}…) where`],
  ])("a function of another type: %s", async (type, says) => {
    const error = await refusalOfText(
      `(module (import "wasi_snapshot_preview1" "clock_time_get" (func ${type})) ${MEMORY} ${START})`,
    );
    expect(error).toMatchObject({
      code: "import-refused",
      data: { name: "wasi_snapshot_preview1 clock_time_get" },
    });
    expect(error.message).toContain(says);
  });

  test("whatever else it imports", async () => {
    const imports = `${imported("fd_close")} (import "env" "abort" (func)) ${imported("fd_read")}`;
    const error = await refusalOfText(`(module ${imports} ${MEMORY} ${START})`);
    expect(error).toMatchObject({ code: "import-refused", data: { name: "env abort" } });
  });
});

describe("a command is held to the limits of a component's core modules", () => {
  const text = command({ start: "(drop (call $sched_yield))" });

  test.each([
    ["functions", 1, 2],
    ["imports", 1, 2],
    ["memories", 0, 1],
    ["initialMemoryBytes", 65_535, 65_536],
    ["dataSegments", 0, 1],
    ["fileBytes", 100, undefined],
    ["nameBytes", 21, undefined],
  ] as const)("%s", async (limit, allowed, figure) => {
    const error = refusalOf(await componentFromWat(text), { [limit]: allowed });
    expect(error).toMatchObject({ code: limit === "nameBytes" ? "name-refused" : "module-refused" });
    if (figure !== undefined) expect(error.message).toContain(`has ${figure} `);
  });

  test("features", async () => {
    const error = await refusalOfText(`(module (memory (export "memory") 1 1 shared) ${START})`);
    expect(error.code).toBe("feature-refused");
  });

  test("names", async () => {
    const error = await refusalOfText(`(module ${MEMORY} ${START} (func (export "it's")))`);
    expect(error).toMatchObject({ code: "name-refused", data: { name: "it's" } });
  });

  test("the namespace of the meter", async () => {
    const error = await refusalOfText(
      `(module (import "wasmhook:meter" "fuel" (global (mut i64))) ${MEMORY} ${START})`,
    );
    expect(error.code).toBe("name-refused");
  });

  test("bytes that end anywhere before the end of its code", async () => {
    const bytes = await componentFromWat(text);
    const data = inspect(bytes).sections.find(({ name }) => name === "data");
    for (let length = 8; length < (data?.offset ?? 0); length++) {
      const { code } = refusalOf(bytes.subarray(0, length));
      expect(["wasm-truncated", "module-refused", "core-module"]).toContain(code);
    }
  });
});
