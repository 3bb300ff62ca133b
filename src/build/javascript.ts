import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { WasmhookError } from "../errors.js";
import { inspect } from "../sandbox/inspect.js";
import { linkPlan } from "../sandbox/link/link-plan.js";
import { bundle } from "./bundle.js";
import { JS_TOOLS } from "./js-tools.js";
import { peerManifest } from "./peer-package.js";
import { withoutExtendedConstants } from "./plain-constants.js";
import { withoutInit } from "./without-init.js";

const WIT_FILE = fileURLToPath(new URL("../../wit/hook.wit", import.meta.url));

/** The part of `componentize-qjs` that is used here. */
interface Componentizer {
  componentize(options: {
    witPath: string;
    world: string;
    jsSource: string;
    stubWasi: boolean;
    sync: boolean;
    optSize: boolean;
  }): Promise<{ component: Uint8Array }>;
}

/**
 * Makes a component of the `hook` world of a JavaScript or TypeScript source that exports `handle(event)`. Its top
 * level runs here, once; what a hook starts from is how it left the engine.
 * @throws WasmhookError `tool-missing`; `build-failed`, with the tools' own words as `cause`
 */
export async function buildJavaScript(
  source: string,
  colors: boolean,
): Promise<{ bytes: Uint8Array; warnings: string }> {
  const { componentize } = await loadComponentizer(dirname(resolve(source)));
  const { text, warnings } = await bundle(source, colors);
  let component: Uint8Array;
  try {
    const world = { witPath: WIT_FILE, world: "hook", jsSource: text };
    ({ component } = await componentize({ ...world, stubWasi: true, sync: true, optSize: true }));
  } catch (error) {
    const cause = startFailure(error instanceof Error ? error.message : String(error));
    throw new WasmhookError("build-failed", `${source} fails while its top level runs: ${cause}`, { cause });
  }
  return { bytes: accepted(component, source), warnings };
}

/** The componentizer is not of this package: what another version of it makes may be nothing for us. */
function accepted(component: Uint8Array, source: string): Uint8Array {
  try {
    const bytes = withoutExtendedConstants(withoutInit(component));
    inspect(bytes);
    linkPlan(bytes);
    return bytes;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `${source} was made into a module that wasmhook does not accept (${cause}); ${JS_TOOLS}`;
    throw new WasmhookError("build-failed", message, { cause });
  }
}

async function loadComponentizer(sourceDir: string): Promise<Componentizer> {
  const manifest = peerManifest("componentize-qjs", sourceDir, "the componentizer of JavaScript", JS_TOOLS);
  const main = createRequire(manifest).resolve("componentize-qjs");
  return ((await import(pathToFileURL(main).href)) as { default: Componentizer }).default;
}

/** What the source threw, in the componentizer's report of it. */
function startFailure(report: string): string {
  if (report.includes("has not been defined"))
    return "it calls log or config, which are there while handle runs";
  return report.replace(/^[:\s]*(?:Failed to [^:]*:\s*)*/, "").split("\n")[0] ?? report;
}
