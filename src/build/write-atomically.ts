import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { WasmhookError } from "../errors.js";

/** Writes a file so that nobody ever reads a half of it. @throws WasmhookError `build-failed`, or the code given */
export async function writeAtomically(
  file: string,
  bytes: Uint8Array | string,
  code: "build-failed" | "file-unwritable" = "build-failed",
): Promise<void> {
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(part, bytes);
    await rename(part, file);
  } catch (error) {
    // What could not be written may not be there to be removed either.
    await rm(part, { force: true }).catch(() => {});
    const cause = error instanceof Error ? error.message : String(error);
    throw new WasmhookError(code, `${file} cannot be written: ${cause}`, { cause });
  }
}
