import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { WasmhookError } from "../errors.js";

export interface WriteOptions {
  /** Of the error where it cannot be written. */
  code?: "build-failed" | "file-unwritable";
  /** Keeps the file, and each folder that is made for it, from everybody else. */
  private?: boolean;
}

/** Writes a file so that nobody ever reads a half of it. @throws WasmhookError `build-failed`, or the code given */
export async function writeAtomically(
  file: string,
  contents: Uint8Array | string,
  { code = "build-failed", private: isPrivate = false }: WriteOptions = {},
): Promise<void> {
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  try {
    await mkdir(dirname(file), { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
    await writeFile(part, contents, { mode: isPrivate ? 0o600 : 0o666 });
    await rename(part, file);
  } catch (error) {
    // What could not be written may not be there to be removed either.
    await rm(part, { force: true }).catch(() => {});
    const cause = error instanceof Error ? error.message : String(error);
    throw new WasmhookError(code, `${file} cannot be written: ${cause}`, { cause });
  }
}
