// The kernels: each is loaded by `load`, which gives functions by name that return something to compare.
import { readFileSync } from "node:fs";
import { packages } from "./packages.mjs";

const KIB = 1024;

/** A package's module, evaluated afresh so that it compiles its WebAssembly again. */
function fresh(require, name) {
  const file = require.resolve(name);
  delete require.cache[file];
  return require(name);
}

async function assemblyScript() {
  const { main } = await import("assemblyscript/asc");
  const source = readFileSync(new URL("kernels.as.txt", import.meta.url), "utf8");
  let binary;
  const { error, stderr } = await main(
    ["kernels.ts", "-O3", "--noAssert", "--runtime", "stub", "-o", "out.wasm"],
    {
      readFile: (name) => (name.endsWith("kernels.ts") ? source : null),
      writeFile: (name, contents) => {
        if (name === "out.wasm") binary = contents;
      },
    },
  );
  if (error) throw new Error(String(stderr));
  return binary;
}

async function hash() {
  const { createSHA256 } = fresh(packages(), "hash-wasm");
  const sha = await createSHA256();
  const text = new Uint8Array(512 * KIB).map((_, i) => i * 31);
  return { hash: () => sha.init().update(text).digest() };
}

const BIG_JSON = JSON.stringify(
  Array.from({ length: 300 }, (_, i) => ({
    id: i,
    name: `name ${i}`,
    tags: ["a", "b\n"],
    nested: { x: i / 7, ok: true },
  })),
);
const SCRIPTS = {
  "JSON scan": `() => { let n = 0; for (let i = 0; i < 3; i++) n += JSON.parse(json).length; return n; }`,
  "interpreter loop": `() => { let a = 1; for (let i = 0; i < 40000; i++) a = (a * 31 + i) & 0xffff; return a; }`,
  "interpreter recursion": `() => { const f = (n) => n < 2 ? n : f(n - 1) + f(n - 2); return f(17); }`,
  "regex hook": `() => {
    const rules = [/\\brm\\s+-[a-z]*r[a-z]*f/, /git\\s+push\\s+.*--force(?!-with-lease)/, /curl[^|]*\\|\\s*(ba)?sh/i, /(^|[;&|]\\s*)sudo\\b/];
    const line = "cd /srv/app && npm ci --omit=dev && git add -A && git commit -m 'a message of some length' && git push origin HEAD:main; ls -la | grep node_modules";
    let hits = 0;
    for (let i = 0; i < 40; i++) for (const rule of rules) if (rule.test(line + i)) hits++;
    return hits; }`,
};

async function quickjs() {
  const require = packages();
  const { newQuickJSWASMModuleFromVariant, newVariant } = require("quickjs-emscripten-core");
  const variant = require("@jitl/quickjs-wasmfile-release-sync");
  const wasmBinary = readFileSync(require.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
  const { buffer, byteOffset, byteLength } = wasmBinary;
  const binary = buffer.slice(byteOffset, byteOffset + byteLength);
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(variant.default ?? variant, { wasmBinary: binary }),
  );
  const context = module.newContext();
  const text = context.newString(BIG_JSON);
  context.setProp(context.global, "json", text);
  const functions = {};
  for (const [name, script] of Object.entries(SCRIPTS)) {
    const compiled = context.unwrapResult(context.evalCode(`(${script})`));
    functions[name] = () => {
      const result = context.unwrapResult(context.callFunction(compiled, context.undefined));
      const number = context.getNumber(result);
      result.dispose();
      return number;
    };
  }
  return functions;
}

async function sqlite() {
  const sql = await fresh(packages(), "sql.js")();
  const database = new sql.Database();
  database.run(`CREATE TABLE t (a INTEGER, b TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO t SELECT (i * 7919) % 10007, 'text ' || (i * 31 % 1000) FROM n`);
  return {
    "database sort": () => database.exec("SELECT a, b FROM t ORDER BY b, a DESC LIMIT 5")[0].values.join(),
  };
}

/** @returns {Promise<((engine: string) => Promise<Record<string, () => unknown>>)[]>} */
export async function loaders() {
  const binary = await assemblyScript();
  const textbook = async () => {
    const module = await WebAssembly.compile(binary);
    const { sieve, matrix, recursion, sort, copy } = (
      await WebAssembly.instantiate(module, { env: { abort() {} } })
    ).exports;
    return { sieve, matrix, recursion, sort, "memory copy": copy };
  };
  return [textbook, hash, quickjs, sqlite];
}

/** Those that do little but call. */
export const CALL_HEAVY = ["recursion", "interpreter recursion", "sort"];
/** Held to a bound of its own. */
export const GUEST = "regex hook";
