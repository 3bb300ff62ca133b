import { watch } from "node:fs";
import { resolve } from "node:path";
import { SOURCE_NAME } from "../../build/language.js";
import { WasmhookError } from "../../errors.js";
import { printable } from "../../hooks/printable.js";
import type { Io } from "../io.js";

/** Files of other kinds, such as what an editor keeps beside a file, change nothing. */
const WATCHED = /\.(?:wasm|json|ya?ml)$/;
/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** Has a folder watched from here on. */
export type WatchFolder = (folder: string) => void;

/**
 * Runs, and runs again whenever a file changes in one of the folders that a run names, one run after the other,
 * until the process is ended. What keeps a run from its job is told, and mended by the next.
 */
export async function rerunOnChange(run: (watch: WatchFolder) => Promise<number>, io: Io): Promise<never> {
  let changed = () => {};
  let timer: NodeJS.Timeout | undefined;
  const watched = new Set<string>();
  const watchNamed = (named: string) => {
    const folder = resolve(named);
    if (watched.has(folder)) return;
    watchFolder(folder, () => {
      clearTimeout(timer);
      timer = setTimeout(() => changed(), SETTLE_MS);
    });
    watched.add(folder);
  };
  for (;;) {
    // What changes during a run is seen after it.
    const change = new Promise<void>((done) => {
      changed = done;
    });
    await tellFailure(() => run(watchNamed), io);
    io.stderr.write("waiting for a file to change; Ctrl-C ends\n");
    await change;
  }
}

/** @throws WasmhookError `event-unreadable` where it cannot be watched */
function watchFolder(folder: string, onChange: () => void): void {
  try {
    watch(folder, (_, name) => {
      if (name !== null && (WATCHED.test(name) || SOURCE_NAME.test(name))) onChange();
    });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new WasmhookError("event-unreadable", `${folder} cannot be watched: ${cause}`, { file: folder });
  }
}

async function tellFailure(run: () => Promise<number>, { stderr }: Io): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof WasmhookError)) throw error;
    stderr.write(`wasmhook test: ${printable(error.message)} [${error.code}]\n`);
  }
}
