import { describe, expect, test } from "vitest";
import { DEFAULT_MODULE_LIMITS } from "#src/hooks/module-limits";
import { Reader } from "#src/sandbox/binary/bytes";
import { readComponent, readPreamble } from "#src/sandbox/binary/component-reader";
import type { ComponentTypeDef, Extern } from "#src/sandbox/binary/component-types";
import { componentFromWat, hookComponent } from "../../support/components.js";
import { logGuest } from "../../support/guests.js";

const LIMITS = { ...DEFAULT_MODULE_LIMITS, componentItems: 10_000 };
const string = { kind: "string" };

/** What is named, without the offsets. */
function plain(extern: Extern | undefined): { sort: string; type: ComponentTypeDef } | undefined {
  return extern && { sort: extern.sort, type: extern.type };
}

async function read(wat: string) {
  return readComponent(await componentFromWat(wat), LIMITS);
}

/** The types of the component that a text declares, by the name they are exported under. */
async function typesOf(declarations: string): Promise<Record<string, ComponentTypeDef>> {
  const { component } = await read(`(component ${declarations})`);
  return Object.fromEntries(Array.from(component.exports.values(), ({ name, type }) => [name, type]));
}

describe("a component that a toolchain made", () => {
  test("is read with its imports and exports, aliases followed", async () => {
    const { component } = readComponent(await hookComponent(logGuest), LIMITS);
    expect([...component.imports.keys()]).toEqual(["wasmhook:hook/host@1.0.0"]);
    const host = component.imports.get("wasmhook:hook/host@1.0.0");
    if (host?.sort !== "instance") throw new Error("the host is no instance");
    const level = { kind: "enum", labels: ["debug", "info", "warn", "error"] };
    expect(plain(host.type.exports.get("level"))).toEqual({ sort: "type", type: level });
    expect(plain(host.type.exports.get("log"))).toEqual({
      sort: "func",
      type: {
        kind: "func",
        params: [
          { name: "level", type: level },
          { name: "message", type: string },
        ],
        result: undefined,
      },
    });
    const handler = component.exports.get("wasmhook:hook/handler@1.0.0");
    if (handler?.sort !== "instance") throw new Error("the handler is no instance");
    expect(plain(handler.type.exports.get("handle"))).toEqual({
      sort: "func",
      type: {
        kind: "func",
        params: [{ name: "event", type: string }],
        result: { kind: "result", ok: string, error: string },
      },
    });
  });

  test("is read with every core module at its place in the file", async () => {
    const bytes = await hookComponent(logGuest);
    const { component } = readComponent(bytes, LIMITS);
    expect(component.modules).toHaveLength(3);
    for (const { range } of component.modules) {
      expect(WebAssembly.validate(bytes.slice(range.start, range.end))).toBe(true);
    }
  });

  test("is read with sections that follow each other from the preamble to the end", async () => {
    const bytes = await hookComponent(logGuest);
    const { component } = readComponent(bytes, LIMITS);
    let end = 8;
    for (const section of component.sections) {
      expect(section.offset).toBe(end);
      expect(bytes[section.offset]).toBe(section.id);
      end = section.contents.end;
    }
    expect(end).toBe(bytes.length);
    expect(component.sections.map(({ name }) => name).slice(0, 3)).toEqual(["type", "import", "core module"]);
  });

  test("is read with its nested component, and what each instantiates is counted", async () => {
    const { component } = readComponent(await hookComponent(logGuest), LIMITS);
    expect(component.components).toHaveLength(1);
    expect([...(component.components[0]?.imports.keys() ?? [])]).toEqual(["import-func-handle"]);
    expect(component.instantiates.components).toBe(1);
    expect(component.instantiates.coreInstances).toBe(5);
    expect(component.modules.map((module) => component.instantiates.modules.get(module))).toEqual([1, 1, 1]);
  });

  test("has all its names found, those of core instances too", async () => {
    const { names } = readComponent(await hookComponent(logGuest), LIMITS);
    const texts = new Set(names.map(({ text }) => text));
    for (const name of ["wasmhook:hook/host@1.0.0", "actual", "shim", "event", "warn", "handle"]) {
      expect(texts).toContain(name);
    }
  });
});

describe("types", () => {
  test("of every kind are read with their parts", async () => {
    const types = await typesOf(`
      (type $r (record (field "a" u8) (field "b" (list s64))))
      (export $re "r" (type $r))
      (type $v (variant (case "x") (case "y" $re)))
      (export "v" (type $v))
      (type $f (flags "p" "q"))
      (export "f" (type $f))
      (type $e (enum "m" "n"))
      (export "e" (type $e))
      (type $t (tuple bool char f32 f64))
      (export "t" (type $t))
      (type $o (option string))
      (export "o" (type $o))
      (type $ok (result u16))
      (export "ok" (type $ok))
      (type $bare (result))
      (export "bare" (type $bare))
      (type $p s8)
      (export "p" (type $p))`);
    const record = {
      kind: "record",
      fields: [
        { name: "a", type: { kind: "u8" } },
        { name: "b", type: { kind: "list", element: { kind: "s64" } } },
      ],
    };
    expect(types).toEqual({
      r: record,
      v: {
        kind: "variant",
        cases: [
          { name: "x", type: undefined },
          { name: "y", type: record },
        ],
      },
      f: { kind: "flags", labels: ["p", "q"] },
      e: { kind: "enum", labels: ["m", "n"] },
      t: { kind: "tuple", elements: [{ kind: "bool" }, { kind: "char" }, { kind: "f32" }, { kind: "f64" }] },
      o: { kind: "option", element: string },
      ok: { kind: "result", ok: { kind: "u16" }, error: undefined },
      bare: { kind: "result", ok: undefined, error: undefined },
      p: { kind: "s8" },
    });
  });

  test("of a resource stay the same through aliases, and differ from each other", async () => {
    const { component } = await read(`(component
      (import "a" (instance $a (export "x" (type (sub resource))) (export "y" (type (sub resource)))))
      (alias export $a "x" (type $x))
      (import "f" (func (param "h" (own $x)))))`);
    const a = component.imports.get("a");
    const f = component.imports.get("f");
    if (a?.sort !== "instance" || f?.sort !== "func") throw new Error("not read as text has it");
    const handle = f.type.params[0]?.type;
    if (handle?.kind !== "own") throw new Error("not an owned handle");
    expect(handle.resource).toBe(a.type.exports.get("x")?.type);
    expect(handle.resource).not.toBe(a.type.exports.get("y")?.type);
  });

  test("of an outer scope are followed from nested components and types", async () => {
    const { component } = await read(`(component $outer
      (type $pair (tuple u8 u8))
      (import "i" (instance (alias outer $outer $pair (type $p)) (export "f" (func (param "p" $p)))))
      (component (alias outer $outer $pair (type $p)) (import "p" (type (eq $p)))))`);
    const pair = { kind: "tuple", elements: [{ kind: "u8" }, { kind: "u8" }] };
    const inner = component.components[0]?.imports.get("p");
    expect(inner?.type).toEqual(pair);
    const i = component.imports.get("i");
    if (i?.sort !== "instance") throw new Error("not an instance");
    expect(i.type.exports.get("f")?.type).toMatchObject({ params: [{ name: "p", type: pair }] });
  });

  test("declared with an export stand in place of what is exported", async () => {
    const { component } = await read(`(component
      (import "i" (instance $i (export "a" (func)) (export "b" (func))))
      (export "only-a" (instance $i) (instance (export "a" (func)))))`);
    const found = component.exports.get("only-a");
    if (found?.sort !== "instance") throw new Error("not an instance");
    expect([...found.type.exports.keys()]).toEqual(["a"]);
  });
});

describe("what is instantiated", () => {
  test("is multiplied through components that instantiate each other", async () => {
    const { component } = await read(`(component
      (component $one (core module $m) (core instance (instantiate $m)) (core instance (instantiate $m)))
      (component $ten
        (alias outer 1 $one (component $one))
        (instance (instantiate $one)) (instance (instantiate $one)) (instance (instantiate $one)))
      (instance (instantiate $ten)) (instance (instantiate $ten)))`);
    const module = component.components[0]?.modules[0];
    if (module === undefined) throw new Error("no module");
    expect(component.instantiates.modules.get(module)).toBe(12);
    expect(component.instantiates.coreInstances).toBe(12);
    expect(component.instantiates.components).toBe(8);
  });
});

describe("what a component defines", () => {
  test("is kept in order, by the indices that the file has", async () => {
    const { component } = await read(`(component
      (import "a" (instance $a (export "f" (func))))
      (alias export $a "f" (func $f))
      (core func $g (canon lower (func $f)))
      (core module $m (memory (export "m") 1))
      (core instance $i (instantiate $m))
      (alias core export $i "m" (core memory $memory))
      (core instance (export "g" (func $g)) (export "n" (memory $memory)))
      (type $r (resource (rep i32)))
      (core func (canon resource.drop $r))
      (component $c (import "x" (func)) (alias outer 1 $m (core module)))
      (instance $d (instantiate $c (with "x" (func $f))))
      (instance (export "y" (func $f)))
      (func (canon lift (core func $g) string-encoding=utf16 (memory $memory)))
      (export "z" (func $f)))`);
    const f = { sort: "func", index: 0 };
    expect(component.body.map(({ offset, ...definition }) => definition)).toMatchObject([
      { kind: "type" },
      { kind: "import", sort: "instance", name: "a" },
      { kind: "alias export", sort: "func", instance: 0, name: "f" },
      { kind: "lower", func: 0, options: {} },
      { kind: "core module", module: component.modules[0] },
      { kind: "core instantiate", module: 0, args: [] },
      { kind: "alias core export", sort: "core memory", instance: 0, name: "m" },
      {
        kind: "core exports",
        items: [
          { name: "g", sort: "core func", index: 0 },
          { name: "n", sort: "core memory", index: 0 },
        ],
      },
      { kind: "type", resource: { dtor: undefined } },
      { kind: "resource", operation: "drop", type: 1 },
      { kind: "component", component: component.components[0] },
      { kind: "instantiate", component: 0, args: [{ name: "x", ...f }] },
      { kind: "exports", items: [{ name: "y", ...f }] },
      { kind: "type" },
      { kind: "lift", func: 0, options: { encoding: "utf16", memory: 0 } },
      { kind: "export", name: "z", ...f },
    ]);
    expect(component.components[0]?.body).toMatchObject([
      { kind: "type" },
      { kind: "import", sort: "func", name: "x" },
      { kind: "alias outer", sort: "core module", count: 1, index: 0 },
    ]);
  });
});

describe("a preamble", () => {
  test("tells a component from a core module", async () => {
    expect(readPreamble(new Reader(await componentFromWat("(component)")))).toBe("component");
    expect(readPreamble(new Reader(await componentFromWat("(module)")))).toBe("core module");
  });
});
