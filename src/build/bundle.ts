import { createRequire } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as Esbuild from "esbuild";
import { WasmhookError } from "../errors.js";
import { interfaceName } from "../sandbox/inspect/contract.js";
import { JS_TOOLS } from "./js-tools.js";
import { peerManifest } from "./peer-package.js";

const LIBRARY = fileURLToPath(new URL("../../guest-js/", import.meta.url));

/** The generated file's name beside the author's source; it exists for the bundler only. */
const ENTRY_FILE = "wasmhook-entry.js";

/**
 * Makes one module of a JavaScript or TypeScript source with all that it imports, types taken out, that exports what
 * the world `hook` does.
 * @returns the module's text, and what the bundler warned of
 * @throws WasmhookError `tool-missing`; `build-failed`, with the bundler's own words as `cause`
 */
export async function bundle(source: string, colors: boolean): Promise<{ text: string; warnings: string }> {
  const sourceDir = dirname(resolve(source));
  const esbuild = await loadEsbuild(sourceDir);
  const say = async (messages: Esbuild.Message[], kind: "error" | "warning"): Promise<string> =>
    (await esbuild.formatMessages(messages, { kind, color: colors })).join("");
  try {
    const { outputFiles, warnings } = await esbuild.build({
      stdin: {
        contents: `import { handlerOf } from ${JSON.stringify(`${LIBRARY}adapter.js`)};
import { handle } from ${JSON.stringify(`./${basename(source)}`)};
export const handler = handlerOf(handle);`,
        resolveDir: sourceDir,
        sourcefile: ENTRY_FILE,
      },
      absWorkingDir: sourceDir,
      // Whatever version of this package is installed there, the hook speaks to the one that builds it.
      alias: { "wasmhook/hook": `${LIBRARY}hook.js` },
      external: [interfaceName("host")],
      bundle: true,
      write: false,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      target: "es2023",
      charset: "utf8",
      // Takes out comments too, which name folders: the same source gives the same text, wherever it lies.
      minifyWhitespace: true,
      legalComments: "none",
      tsconfigRaw: "{}",
      logLevel: "silent",
    });
    return { text: outputFiles[0]?.text ?? "", warnings: await say(warnings, "warning") };
  } catch (error) {
    const { errors } = error as Partial<Esbuild.BuildFailure>;
    if (errors === undefined) throw error;
    const own = errors.filter(({ location }) => location?.file !== ENTRY_FILE);
    // Nobody wrote the entry, so nobody can read what is said about it: its words are ours to give.
    throw own.length === 0
      ? new WasmhookError("build-failed", `${source} must export "function handle(event)"`, { cause: "" })
      : new WasmhookError("build-failed", `${source} does not compile: ${own.length} error(s)`, {
          // The bundler's own hints are of its options, which are not the author's.
          cause: await say(
            own.map((error) => ({ ...error, notes: [] })),
            "error",
          ),
        });
  }
}

async function loadEsbuild(sourceDir: string): Promise<typeof Esbuild> {
  const manifest = peerManifest("esbuild", sourceDir, "the bundler esbuild", JS_TOOLS);
  const main = createRequire(manifest).resolve("esbuild");
  return ((await import(pathToFileURL(main).href)) as { default: typeof Esbuild }).default;
}
