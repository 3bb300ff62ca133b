import { Worker } from "node:worker_threads";
import { $init, generate } from "@bytecodealliance/jco-transpile/component";
import { describe, expect, test } from "vitest";
import { componentFromWat } from "../../support/components.js";
import { HANDLE_TYPE } from "../../support/handler.js";
import { refusalOf } from "../../support/refusals.js";

/** A hook whose second core module imports a function of its first one under these names. */
function linkedModules({ module = "m", field = "f", exported = "e" }): string {
  const [m, f, e] = [module, field, exported].map((name) => {
    return name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
  });
  return `(component
    (core module $first (func (export "${e}")))
    (core module $second
      (import "${m}" "${f}" (func))
      (memory (export "memory") 1)
      (func (export "handle") (param i32 i32) (result i32) unreachable)
      (func (export "realloc") (param i32 i32 i32 i32) (result i32) unreachable))
    (core instance $first (instantiate $first))
    (alias core export $first "${e}" (core func $e))
    (core instance $m (export "${f}" (func $e)))
    (core instance $second (instantiate $second (with "${m}" (instance $m))))
    (func $handle ${HANDLE_TYPE} (canon lift (core func $second "handle")
      (memory (core memory $second "memory")) (realloc (core func $second "realloc"))))
    (instance $h (export "handle" (func $handle)))
    (export "wasmhook:hook/handler@1.0.0" (instance $h)))`;
}

/** In a worker of its own: what `globalThis.injected` is once the generated code has instantiated the component. */
const INSTANTIATE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const url = "data:text/javascript;base64," + Buffer.from(workerData.source).toString("base64");
  import(url).then(({ instantiate }) => {
    try { instantiate((name) => new WebAssembly.Module(workerData.cores[name]), {}); } catch {}
    parentPort.postMessage(globalThis.injected);
  }, () => parentPort.postMessage("not JavaScript"));`;

async function runUnchecked(bytes: Uint8Array): Promise<unknown> {
  await $init;
  const { files } = generate(bytes, { name: "guest", instantiation: { tag: "sync" }, noTypescript: true });
  const source = files.find(([name]) => name.endsWith(".js"))?.[1];
  const workerData = { source, cores: Object.fromEntries(files) };
  const worker = new Worker(INSTANTIATE, { eval: true, workerData });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  } finally {
    await worker.terminate();
  }
}

const CODE = "globalThis.injected = process.version";

describe("a core name that would run as code in the host", () => {
  test.each([
    { what: "a quote in the module of an import", names: { module: `m': {}, [(${CODE})]: {}, 'z` } },
    { what: "a quote in the name of an import", names: { field: `f': 0, [(${CODE})]: 0, 'z` } },
    { what: "a quote in the name of an export", names: { exported: `e'] || (${CODE}), exports0['z` } },
    { what: "a backslash", names: { field: "f\\", exported: `: (${CODE}), //` } },
    { what: "a line break", names: { module: `m': {},\n[(${CODE})]: {},\n'z` } },
  ])("$what", async ({ names }) => {
    const bytes = await componentFromWat(linkedModules(names));
    expect(await runUnchecked(bytes)).toBe(process.version);
    expect(refusalOf(bytes)).toMatchObject({ code: "name-refused" });
  });

  test("and the same component with plain names runs nothing, and is accepted", async () => {
    const bytes = await componentFromWat(linkedModules({}));
    expect(await runUnchecked(bytes)).toBeUndefined();
    expect(() => refusalOf(bytes)).toThrow("the component was accepted");
  });
});
