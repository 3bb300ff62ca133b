import { componentEmbed, componentNew } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import { DEFAULT_MODULE_LIMITS } from "#src/hooks/module-limits";
import { readComponent } from "#src/sandbox/binary/component-reader";
import type { Externs } from "#src/sandbox/binary/component-types";
import { inspect } from "#src/sandbox/inspect";
import { CONTRACT } from "#src/sandbox/inspect/contract";
import { componentFromWat, hookComponent, hookWit } from "../../support/components.js";
import { configGuest, echoGuest, logGuest } from "../../support/guests.js";
import { handlerText } from "../../support/handler.js";

const HOST = "wasmhook:hook/host@1.0.0";

/** The instances that a component imports or exports, as `contract.ts` writes them. */
function asContract(externs: Externs): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(externs.values(), (extern) => {
      if (extern.sort !== "instance") throw new Error(`${extern.name} is a ${extern.sort}`);
      const items = Array.from(extern.type.exports.values(), ({ name, type }) => [name, type]);
      return [extern.name, Object.fromEntries(items)];
    }),
  );
}

function qualified(interfaces: Record<string, unknown>): Record<string, unknown> {
  const { package: pkg, version } = CONTRACT;
  return Object.fromEntries(
    Object.entries(interfaces).map(([name, items]) => [`${pkg}/${name}@${version}`, items]),
  );
}

test("the contract is what wit/hook.wit says", async () => {
  const dummy = await componentEmbed({ dummy: true, witSource: hookWit, world: "hook" });
  const { component } = readComponent(await componentNew(dummy, []), DEFAULT_MODULE_LIMITS);
  expect(asContract(component.imports)).toEqual(qualified(CONTRACT.imports));
  expect(asContract(component.exports)).toEqual(qualified(CONTRACT.exports));
});

describe("a component of the hook world is accepted", () => {
  test("that imports nothing", async () => {
    const inspection = inspect(await hookComponent(echoGuest));
    expect(inspection).toMatchObject({ kind: "hook", version: "1.0.0", imports: [] });
    expect(inspection.exports).toEqual([
      { name: "wasmhook:hook/handler@1.0.0", functions: ["handle"], types: [] },
    ]);
  });

  test("that imports only log, with the type it needs", async () => {
    const { imports } = inspect(await hookComponent(logGuest));
    expect(imports).toEqual([{ name: HOST, functions: ["log"], types: ["level"] }]);
  });

  test("that imports only config", async () => {
    const { imports } = inspect(await hookComponent(configGuest));
    expect(imports).toEqual([{ name: HOST, functions: ["config"], types: [] }]);
  });

  test("that imports only a type", async () => {
    const bytes = await componentFromWat(`(component
      (import "${HOST}" (instance
        (type (enum "debug" "info" "warn" "error"))
        (export "level" (type (eq 0)))))
      ${handlerText()})`);
    expect(inspect(bytes).imports).toEqual([{ name: HOST, functions: [], types: ["level"] }]);
  });

  test("that declares the type of its handler a second time", async () => {
    const bytes = await componentFromWat(`(component
      ${handlerText().replace(
        "(instance $h))",
        '(instance $h) (instance (export "handle" (func (param "event" string) (result (result string (error string)))))))',
      )})`);
    expect(inspect(bytes).exports).toHaveLength(1);
  });

  test("and what is told of it is plain data, which crosses to another thread unchanged", async () => {
    const inspection = inspect(await hookComponent(logGuest));
    expect(structuredClone(inspection)).toEqual(inspection);
  });

  test("and its core modules are told with their memories, tables and instances", async () => {
    const { modules, sections } = inspect(await hookComponent(logGuest));
    expect(modules).toHaveLength(3);
    expect(modules[0]).toMatchObject({
      instances: 1,
      memories: [{ minPages: 1, maxPages: undefined, imported: false }],
      imports: 1,
      exports: 3,
      hasStart: false,
    });
    // The shim that breaks the circle of imports holds a table; the module that fills it imports that.
    expect(modules[1]?.tables).toEqual([{ minElements: 1, maxElements: 1, imported: false }]);
    expect(modules[2]?.tables).toEqual([{ minElements: 1, maxElements: 1, imported: true }]);
    expect(sections[0]).toMatchObject({ name: "type", offset: 8 });
    expect(sections.at(-1)?.name).toBe('custom "producers"');
  });
});
