import { createHash } from "node:crypto";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  faultOfFolder,
  makePrivateFolder,
  readPrivateFile,
  replacePrivateFile,
  systemCode,
} from "./private-files.js";
import { seal, unseal } from "./seal.js";

/** The most bytes that a cache holds where nobody says otherwise. */
const DEFAULT_LIMIT_BYTES = 256 * 1024 * 1024;

/** A file of ours: an artefact, or a part of one whose writer may have died. */
const OURS = /^[0-9a-f]{64}(\.[0-9a-f-]{36}\.part)?$/;
/** Nobody takes so long to write. */
const PART_MS = 60 * 60 * 1000;

/** What is in a cache, or was taken out of it. */
export interface CacheContents {
  artefacts: number;
  bytes: number;
}

interface Entry {
  file: string;
  bytes: number;
  usedMs: number;
  isPart: boolean;
}

/**
 * Bytes by key, in a folder that is this user's alone, for any number of processes at once. Whatever is wrong
 * with the folder or with a file in it, nothing is found there, and what is put there replaces it if it can.
 */
export class ArtefactCache {
  readonly folder: string;
  readonly limitBytes: number;

  /** @param folder absolute; made when something is first put there */
  constructor(folder: string, { limitBytes = DEFAULT_LIMIT_BYTES } = {}) {
    this.folder = folder;
    this.limitBytes = limitBytes;
  }

  /** What was last put there under this key, every byte of it as it was. Never rejects. */
  async get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      if ((await faultOfFolder(this.folder)) !== undefined) return undefined;
      const name = nameOf(key);
      const sealed = await readPrivateFile(join(this.folder, name), this.limitBytes);
      return sealed && unseal(name, sealed);
    } catch {
      return undefined;
    }
  }

  /** Puts bytes there, given in parts, if that can be done, and takes out what was not used for longest. Never rejects. */
  async put(key: string, ...parts: Uint8Array[]): Promise<void> {
    try {
      const name = nameOf(key);
      const sealed = [seal(name, parts), ...parts];
      if (sealed.reduce((sum, { length }) => sum + length, 0) > this.limitBytes) return;
      await makePrivateFolder(this.folder);
      if ((await faultOfFolder(this.folder)) !== undefined) return;
      await replacePrivateFile(join(this.folder, name), sealed);
      await this.#trim();
    } catch {
      // Such as a full disk: the next process makes it again.
    }
  }

  /** Why the folder cannot be used, and what to do about it; one that is not there yet can be. */
  async fault(): Promise<string | undefined> {
    try {
      return await faultOfFolder(this.folder);
    } catch (error) {
      const code = systemCode(error);
      return code === "ENOENT" ? undefined : `the system says ${code}: name another`;
    }
  }

  /** @throws a system error where the folder cannot be read */
  async contents(): Promise<CacheContents> {
    return contentsOf(await this.#entries());
  }

  /** Takes out everything that is ours. @throws a system error for what cannot be taken out */
  async clear(): Promise<CacheContents> {
    const entries = await this.#entries();
    for (const entry of entries) await remove(entry);
    return contentsOf(entries);
  }

  async #trim(): Promise<void> {
    const entries = await this.#entries();
    let { bytes } = contentsOf(entries);
    for (const entry of entries.sort((a, b) => a.usedMs - b.usedMs)) {
      const isLeft = entry.isPart && entry.usedMs < Date.now() - PART_MS;
      if (!isLeft && bytes <= this.limitBytes) continue;
      await remove(entry);
      bytes -= entry.bytes;
    }
  }

  async #entries(): Promise<Entry[]> {
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    });
    const ours = names.filter((name) => OURS.test(name));
    const entries = await Promise.all(ours.map((name) => entryOf(join(this.folder, name))));
    return entries.filter((entry) => entry !== undefined);
  }
}

function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Undefined where another process has taken it out meanwhile. */
async function entryOf(file: string): Promise<Entry | undefined> {
  const stat = await lstat(file).catch(() => undefined);
  return stat && { file, bytes: stat.size, usedMs: stat.mtimeMs, isPart: file.endsWith(".part") };
}

async function remove({ file }: Entry): Promise<void> {
  await rm(file, { recursive: true, force: true });
}

function contentsOf(entries: readonly Entry[]): CacheContents {
  return {
    artefacts: entries.filter(({ isPart }) => !isPart).length,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
