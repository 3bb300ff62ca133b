import { describe, expect, test } from "vitest";
import { WasmhookError } from "#src/errors";
import { checkName } from "#src/sandbox/inspect/names";
import { componentFromWat, hookComponent } from "../../support/components.js";
import { echoGuest, logGuest } from "../../support/guests.js";
import { handlerText } from "../../support/handler.js";
import { refusalOf } from "../../support/refusals.js";

function refusal(name: string): WasmhookError | undefined {
  try {
    checkName(name, "here", 512);
    return undefined;
  } catch (error) {
    if (error instanceof WasmhookError) return error;
    throw error;
  }
}

describe("names that toolchains write are accepted", () => {
  test.each([
    "",
    "0",
    "memory",
    "cabi_realloc",
    "$imports",
    "wasmhook:hook/handler@1.0.0#handle",
    "cabi_post_wasi:http/incoming-handler@0.2.3#handle",
    "[export]my:pkg/iface@1.0.0-rc.1+build.5",
    "[resource-drop]input-stream",
    "[method]descriptor.read-via-stream",
    "cm32p2|wasi:cli/run@0.2|run",
    "cm32p2||memory",
    "wasi_snapshot_preview1",
    "GOT.func.internal",
    "_ZNSt3__212basic_stringIcNS_11char_traitsIcEE6appendEPKcm",
    "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
    "Foo#get:bar",
    "proc_exit [v2]",
    "__stack_pointer",
    "asyncify_start_unwind",
    "proto",
    "constructors",
  ])("%s", (name) => {
    expect(refusal(name)).toBeUndefined();
  });
});

describe("names that could end up as code are refused", () => {
  test.each([
    "a'b",
    'a"b',
    "a`b",
    "a\\b",
    "a\nb",
    "a\rb",
    "a\u2028b",
    "a\u2029b",
    "a\0b",
    "a\tb",
    "a*/b",
    "a${",
    "a(b)",
    "a;b",
    "a<b>",
    "a=b",
    "aéb",
    "a\u202eb",
    "a\ud83d\ude00b",
  ])("%j", (name) => {
    expect(refusal(name)).toMatchObject({ code: "name-refused", data: { name } });
  });

  test("and are shown escaped, and cut short", () => {
    expect(refusal("a\n\u202e'é")?.message).toContain('"a\\n\\u202e\'\\u00e9"');
    expect(refusal("'".repeat(100_000))?.message.length).toBeLessThan(400);
  });
});

describe("names that mean something on every object are refused", () => {
  test.each([
    "__proto__",
    "constructor",
    "prototype",
    "then",
    "toString",
    "to-string",
    "valueOf",
    "value-of",
    "hasOwnProperty",
    "isPrototypeOf",
    "__defineGetter__",
    "toJSON",
  ])("%s", (name) => {
    expect(refusal(name)?.message).toContain("every JavaScript object");
  });
});

test("a name over the limit is refused with its length", () => {
  expect(refusal("a".repeat(512))).toBeUndefined();
  expect(refusal("a".repeat(513))?.message).toContain("513 bytes long, over the limit of 512");
});

test("names under which fuel is written into modules are refused", () => {
  expect(refusal("wasmhook:meter")?.message).toContain("reserved");
  expect(refusal("wasmhook:meter/fuel")?.message).toContain("reserved");
});

describe("a name is refused wherever it stands", () => {
  const bad = "a'b";
  test.each([
    ["the module of a core import", `(core module (import "${bad}" "f" (func)))`],
    ["the name of a core import", `(core module (import "m" "${bad}" (func)))`],
    ["a core export", `(core module (func (export "${bad}")))`],
    ["a core export of a nested component", `(component (core module (func (export "${bad}"))))`],
    [
      "an argument of a core instance",
      `(core module $a) (core instance $x) (core instance (instantiate $a (with "${bad}" (instance $x))))`,
    ],
    [
      "an export of a core instance",
      `(core module $a (func (export "f"))) (core instance $x (instantiate $a)) (alias core export $x "f" (core func $f)) (core instance (export "${bad}" (func $f)))`,
    ],
    [
      "an alias of a core export",
      `(core module $a) (core instance $x (instantiate $a)) (alias core export $x "${bad}" (core func $f))`,
    ],
    ["an import of a nested component", `(component (import "${bad}" (func)))`],
    ["an export of a nested component", `(component (type u8) (export "${bad}" (type 0)))`],
    ["an export of an instance", `(type u8) (instance (export "${bad}" (type 0)))`],
    ["a field of a record", `(type (record (field "${bad}" u8)))`],
    ["a label of an enum", `(type (enum "${bad}"))`],
    ["a label of flags", `(type (flags "${bad}"))`],
    ["a case of a variant", `(type (variant (case "${bad}")))`],
    ["a parameter", `(type (func (param "${bad}" u8)))`],
    ["an export of an instance type", `(type (instance (export "${bad}" (func))))`],
    ["an import of a component type", `(type (component (import "${bad}" (func))))`],
  ])("%s", async (_where, fields) => {
    const bytes = await componentFromWat(`(component ${fields} ${handlerText()})`);
    expect(refusalOf(bytes)).toMatchObject({ code: "name-refused", data: { name: bad } });
  });
});

test.each([
  "url=<https://example.com/a.wasm>",
  "integrity=<sha256-AAAA>",
  "locked-dep=<a:b@1.0.0>",
  "unlocked-dep=<a:b@{>=1.0.0}>",
])("an import of %s is refused before the transpiler sees it", async (name) => {
  const bytes = await componentFromWat(`(component (import "${name}" (func)) ${handlerText()})`);
  const error = refusalOf(bytes);
  expect(error).toMatchObject({ code: "name-refused", data: { name } });
  expect(error.message).toContain("dependency");
});

test("no name of a component that a toolchain made is refused", async () => {
  for (const wat of [echoGuest, logGuest]) {
    const bytes = await hookComponent(wat);
    expect(() => refusalOf(bytes)).toThrow("the component was accepted");
  }
});
