import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ArtefactCache } from "./artefact-cache.js";

interface Surroundings {
  env?: Record<string, string | undefined>;
  platform?: NodeJS.Platform;
  /** @throws where there is none */
  home?(): string;
}

/** The cache of the user who runs this, if there is a place for it. */
export function userCache(): ArtefactCache | undefined {
  const folder = cacheFolder();
  return folder === undefined ? undefined : new ArtefactCache(folder);
}

/**
 * Where the user's artefacts are kept, absolute: `WASMHOOK_CACHE_DIR`, of which an empty one means nowhere, or
 * else `wasmhook` in the system's folder for caches. Undefined where there is no such folder.
 *
 * Source: https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function cacheFolder({
  env = process.env,
  platform = process.platform,
  home = homedir,
}: Surroundings = {}): string | undefined {
  try {
    const { WASMHOOK_CACHE_DIR: own, XDG_CACHE_HOME: xdg } = env;
    if (own !== undefined) return own === "" ? undefined : resolve(own);
    if (platform !== "darwin" && xdg !== undefined && isAbsolute(xdg)) return join(xdg, "wasmhook");
    const folder = join(home(), platform === "darwin" ? "Library/Caches" : ".cache", "wasmhook");
    return isAbsolute(folder) ? folder : undefined;
  } catch {
    // Neither a home, nor a current directory that a path could be relative to.
    return undefined;
  }
}
