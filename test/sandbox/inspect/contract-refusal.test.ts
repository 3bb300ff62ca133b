import { describe, expect, test } from "vitest";
import { componentFromWat, hookWit, worldComponent } from "../../support/components.js";
import { echoGuest, trapGuest } from "../../support/guests.js";
import { HANDLE_TYPE, handlerText } from "../../support/handler.js";
import { refusalOf } from "../../support/refusals.js";

const HOST = "wasmhook:hook/host@1.0.0";
const HANDLER = "wasmhook:hook/handler@1.0.0";

/** The refusal of a component that has these fields beside a good handler. */
async function refusalBeside(fields: string) {
  return refusalOf(await componentFromWat(`(component ${fields} ${handlerText()})`));
}

describe("a handler with another type is refused, with both types in the message", () => {
  test.each([
    { type: HANDLE_TYPE.replace("(result string (error string))", "(list string)"), printed: "list<string>" },
    { type: HANDLE_TYPE.replace("event", "e"), printed: "func(e: string) -> result<string, string>" },
    { type: HANDLE_TYPE.replace(" (error string)", ""), printed: "-> result<string>" },
    {
      type: HANDLE_TYPE.replace("(result string (error", "(result (error"),
      printed: "-> result<_, string>",
    },
    {
      type: HANDLE_TYPE.replace('"event" string', '"event" (list string)'),
      printed: "func(event: list<string>)",
    },
    {
      type: HANDLE_TYPE.replace('"event" string', '"event" (option u32)'),
      printed: "func(event: option<u32>)",
    },
    {
      type: HANDLE_TYPE.replace('"event" string', '"event" u32'),
      core: "(param i32) (result i32)",
      printed: "func(event: u32)",
    },
    { type: '(param "event" string)', core: "(param i32 i32)", printed: "func(event: string) where" },
    {
      type: HANDLE_TYPE.replace("(param", '(param "more" char) (param'),
      core: "(param i32 i32 i32) (result i32)",
      printed: "func(more: char, event: string)",
    },
  ])("$printed", async ({ printed, ...handler }) => {
    const error = await refusalOf(await componentFromWat(`(component ${handlerText(handler)})`));
    expect(error).toMatchObject({ code: "not-a-hook", data: { found: [`${HANDLER}#handle`] } });
    expect(error.message).toContain(printed);
    expect(error.message).toContain(`${HANDLER} has func(event: string) -> result<string, string>`);
  });

  test("that it declares over a function of the right type", async () => {
    const fields = handlerText().replace(
      "(instance $h))",
      '(instance $h) (instance (export "handle" (func (param "event" string) (result (list string))))))',
    );
    const bytes = await componentFromWat(`(component ${fields})`);
    expect(refusalOf(bytes).code).toBe("not-a-hook");
  });
});

describe("an import with another type is refused, with both types in the message", () => {
  const level = '(type (enum "debug" "info")) (export "level" (type $l (eq 0)))';
  const log = '(export "log" (func (param "level" $l) (param "message" string)))';
  test.each([
    { items: `${level} ${log}`, item: "level", printed: "enum { debug, info }" },
    {
      items: '(export "log" (func (param "level" u8) (param "message" string)))',
      item: "log",
      printed: "func(level: u8, message: string) where",
    },
    { items: '(export "config" (func (result (list string))))', item: "config", printed: "list<string>" },
    {
      items: '(export "config" (func (param "x" string) (result string)))',
      item: "config",
      printed: "func(x: string) -> string",
    },
    { items: '(export "level" (type (sub resource)))', item: "level", printed: "as resource where" },
    { items: '(export "config" (instance))', item: "config", printed: "as interface where" },
    {
      items: '(type (func (result string))) (export "config" (type (eq 0)))',
      item: "config",
      printed: "as func() -> string where",
    },
  ])("$printed", async ({ items, item, printed }) => {
    const error = await refusalBeside(`(import "${HOST}" (instance ${items}))`);
    expect(error).toMatchObject({ code: "import-refused", data: { name: `${HOST}#${item}` } });
    expect(error.message).toContain(printed);
  });

  test("a type that would fill the memory if it were written out whole", async () => {
    const doubled = Array.from({ length: 60 }, (_, i) => `(type $t${i + 1} (tuple $t${i} $t${i}))`);
    const error = await refusalBeside(`
      (type $t0 (tuple string string)) ${doubled.join("\n")}
      (import "${HOST}" (instance (alias outer 1 $t60 (type $t)) (export "config" (func (result $t)))))`);
    expect(error).toMatchObject({ code: "import-refused", data: { name: `${HOST}#config` } });
    expect(error.message.length).toBeLessThan(600);
  });
});

describe("an import that hooks are not given is refused by its name", () => {
  test.each([
    { fields: '(import "a:b/c" (instance))', name: "a:b/c" },
    { fields: '(import "f" (func))', name: "f" },
    { fields: '(import "t" (type (sub resource)))', name: "t" },
    { fields: `(import "${HOST}" (func))`, name: HOST },
    { fields: `(import "${HANDLER}" (instance))`, name: HANDLER },
    { fields: `(import "${HOST}" (instance (export "exec" (func))))`, name: `${HOST}#exec` },
  ])("$fields", async ({ fields, name }) => {
    const error = await refusalBeside(fields);
    expect(error).toMatchObject({ code: "import-refused", data: { name } });
    expect(error.message).toContain(name);
  });

  test("WASI, with what to do", async () => {
    const error = await refusalBeside('(import "wasi:cli/environment@0.2.0" (instance))');
    expect(error).toMatchObject({ code: "import-refused", data: { name: "wasi:cli/environment@0.2.0" } });
    expect(error.message).toContain("build it without WASI");
  });
});

describe("a component of another world is refused with what it exports", () => {
  test("nothing", async () => {
    const error = refusalOf(await componentFromWat("(component)"));
    expect(error).toMatchObject({ code: "not-a-hook", data: { found: [] } });
    expect(error.message).toContain("it exports nothing");
  });

  test("an interface of another package", async () => {
    const bytes = await worldComponent(
      '(module (func (export "my:app/run@2.0.0#run")))',
      "package my:app@2.0.0; interface run { run: func(); } world app { export run; }",
      "app",
    );
    const error = refusalOf(bytes);
    expect(error).toMatchObject({ code: "not-a-hook", data: { found: ["my:app/run@2.0.0"] } });
    expect(error.message).toContain("it exports my:app/run@2.0.0");
  });

  test("the handler and more", async () => {
    const wit = hookWit.replace("export handler;", "export handler; export more: func();");
    const core = echoGuest.replace(/\)$/, '(func (export "more")))');
    const error = refusalOf(await worldComponent(core, wit, "hook"));
    expect(error).toMatchObject({ code: "not-a-hook" });
    expect(error.message).toContain(`exports more than ${HANDLER}: more`);
  });

  test("a function beside handle", async () => {
    const wit = hookWit.replace("handle: func", "undo: func();\n  handle: func");
    const core = echoGuest.replace(/\)$/, `(func (export "${HANDLER}#undo")))`);
    expect(refusalOf(await worldComponent(core, wit, "hook"))).toMatchObject({
      code: "not-a-hook",
      data: { found: [`${HANDLER}#undo`] },
    });
  });

  test("a handler without its function", async () => {
    const bytes = await componentFromWat(`(component (instance $h) (export "${HANDLER}" (instance $h)))`);
    const error = refusalOf(bytes);
    expect(error.code).toBe("not-a-hook");
    expect(error.message).toContain("without its function handle");
  });

  test("a handler that is a function", async () => {
    const fields = handlerText({ name: "elsewhere" }).replace(/\(export "elsewhere".*/, "");
    const bytes = await componentFromWat(`(component ${fields} (export "${HANDLER}" (func $f)))`).catch(
      String,
    );
    if (typeof bytes === "string") throw new Error(bytes);
    expect(refusalOf(bytes).message).toContain("but as a func");
  });

  test("the types of a WIT package", async () => {
    const bytes = await componentFromWat(`(component
      (type (component (type (component)) (export "a:b/w" (component (type 0)))))
      (export "w" (type 0)))`);
    const error = refusalOf(bytes);
    expect(error.code).toBe("not-a-hook");
    expect(error.message).toContain("it is a WIT package");
  });
});

describe("another version of the contract is refused with the versions that are spoken", () => {
  test.each(["2.0.0", "1.1.0", "1.0.1", "0.9.0", "1.0.0-rc.1"])("%s", async (version) => {
    const wit = hookWit.replace("package wasmhook:hook@1.0.0", `package wasmhook:hook@${version}`);
    const core = trapGuest.replace("handler@1.0.0", `handler@${version}`);
    const error = refusalOf(await worldComponent(core, wit, "hook"));
    expect(error).toMatchObject({ code: "version-refused", data: { found: version, spoken: ["1.0.0"] } });
    expect(error.message).toContain("speaks 1.0.0");
  });

  test("of an import beside a handler of this one", async () => {
    const error = await refusalBeside('(import "wasmhook:hook/host@3.0.0" (instance))');
    expect(error).toMatchObject({ code: "version-refused", data: { found: "3.0.0" } });
  });

  test("none", async () => {
    const fields = handlerText({ name: "wasmhook:hook/handler" });
    const error = refusalOf(await componentFromWat(`(component ${fields})`));
    expect(error).toMatchObject({ code: "version-refused", data: { found: "none" } });
  });
});

test("a core module is refused with the way to make a component of it", async () => {
  const error = refusalOf(await componentFromWat(echoGuest));
  expect(error.code).toBe("core-module");
  expect(error.message).toContain("wasmhook build");
});
