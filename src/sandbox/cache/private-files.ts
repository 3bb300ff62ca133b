import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, mkdir, open, rename, rm, writeFile } from "node:fs/promises";

/** What any right of others is among the bits of a mode. */
const OTHERS = 0o077;

/**
 * Why what is in a folder may not be of this user's own making; undefined where nobody else can have written it.
 * @throws a system error where there is no such folder, or none that can be seen
 */
export async function faultOfFolder(folder: string): Promise<string | undefined> {
  const stat = await lstat(folder);
  if (stat.isSymbolicLink()) return "it is a link: name the folder itself";
  if (!stat.isDirectory()) return "it is no folder: name one";
  if (!isOwn(stat)) return "it belongs to another user: name one of your own";
  if ((stat.mode & OTHERS) !== 0) return "others have rights to it: name one that is yours alone (chmod 700)";
  return undefined;
}

/** Makes a folder that is this user's alone, where there is none. @throws a system error */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/**
 * Reads a regular file that nobody but this user may read or write, and marks it as used now.
 * @returns undefined where it is anything else, or of more bytes; zeros for what is missing at its end
 * @throws a system error
 */
export async function readPrivateFile(
  file: string,
  limitBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // A link is not followed, and a pipe not waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    const isPrivate = stat.isFile() && isOwn(stat) && (stat.mode & OTHERS) === 0;
    if (!isPrivate || stat.size > limitBytes) return undefined;
    const bytes = new Uint8Array(stat.size);
    await handle.read(bytes, 0, bytes.length, 0);
    const now = new Date();
    // It was read as well where it cannot be marked.
    await handle.utimes(now, now).catch(() => {});
    return bytes;
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file that is this user's alone so that nobody ever reads a half of it, in place of whatever has its name.
 * @throws a system error
 */
export async function replacePrivateFile(file: string, parts: readonly Uint8Array[]): Promise<void> {
  const half = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(half, parts, { flag: "wx", mode: 0o600 });
    await rename(half, file).catch(async (error: unknown) => {
      if (systemCode(error) !== "EISDIR") throw error;
      await rm(file, { recursive: true, force: true });
      await rename(half, file);
    });
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}

/** Such as `ENOENT`; undefined where it was not the system that failed. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.geteuid?.();
}
