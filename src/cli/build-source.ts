import { type BuildOptions, buildHook } from "../build/build-hook.js";
import { WasmhookError } from "../errors.js";
import type { Io } from "./io.js";

/**
 * Builds a source, and prints what the compiler says: its own words come first, the sentence that is thrown last,
 * where the eye is.
 * @throws WasmhookError `build-failed`, `tool-missing`
 */
export async function buildSource(
  source: string,
  { stderr }: Pick<Io, "stderr">,
  options: Pick<BuildOptions, "language" | "names"> = {},
): Promise<Uint8Array> {
  try {
    const colors = stderr.isTTY === true && !process.env.NO_COLOR;
    const { bytes, warnings } = await buildHook(source, { ...options, colors });
    stderr.write(warnings);
    return bytes;
  } catch (error) {
    if (error instanceof WasmhookError && error.code === "build-failed") {
      const { cause } = (error as WasmhookError<"build-failed">).data;
      if (cause.includes("\n")) stderr.write(cause);
    }
    throw error;
  }
}
