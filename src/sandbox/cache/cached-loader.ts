import { closed } from "../../cut-short.js";
import { changedLimits } from "../../hooks/module-limits.js";
import { compileArtefact } from "../artefact.js";
import { compileMetered } from "../compile-core.js";
import type { LoadCall, PreparedGuest } from "../guest-messages.js";
import type { Loader } from "../loader.js";
import type { ArtefactCache } from "./artefact-cache.js";
import { codeId } from "./code-id.js";
import { decodeArtefact } from "./encode-artefact.js";

/** Takes from a cache what a loader has made before, and compiles it in this thread. */
export class CachedLoader {
  readonly #loader: Loader;
  readonly #cache: ArtefactCache;
  #code: string | undefined;
  #isClosed = false;

  constructor(loader: Loader, cache: ArtefactCache) {
    this.#loader = loader;
    this.#cache = cache;
  }

  /** @throws WasmhookError as `Loader.prepare` */
  async prepare(call: LoadCall, sha256: string): Promise<PreparedGuest> {
    this.#code ??= codeId();
    if (this.#code === undefined) return await this.#loader.prepare(call);
    const key = JSON.stringify([this.#code, sha256, call.caps, changedLimits(call.limits)]);
    const found = compiled(await this.#cache.get(key));
    if (this.#isClosed) throw closed();
    if (found !== undefined) return found;
    const { guest, artefact } = await this.#loader.load({ ...call, wantsArtefact: true });
    if (artefact !== undefined) await this.#cache.put(key, ...artefact);
    return guest;
  }

  /** Resolves when no thread is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#loader.close();
  }
}

/** Undefined where this engine does not compile it, of which the loader finds out the reason. */
function compiled(artefact: Uint8Array<ArrayBuffer> | undefined): PreparedGuest | undefined {
  try {
    return artefact && compileArtefact(decodeArtefact(artefact), compileMetered);
  } catch {
    return undefined;
  }
}
