import { constants, type FileHandle, open } from "node:fs/promises";

/** The bytes of a file, or why there are none: `cause` fits behind "cannot be read: ". */
export type FileReading =
  | { bytes: Uint8Array<ArrayBuffer> }
  | { fault: "missing" | "unreadable" | "too-large"; cause: string };

/** Reads a regular file of a limited size. Never waits: what is a pipe, a device or a socket is refused. */
export async function readRegularFile(file: string, limitBytes: number): Promise<FileReading> {
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe waits for its writer. Windows has no such flag.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (stat.isDirectory()) return { fault: "unreadable", cause: "it is a directory" };
    if (!stat.isFile()) return { fault: "unreadable", cause: "it is not a regular file" };
    const bytes = await readUpTo(handle, limitBytes);
    if (bytes !== undefined) return { bytes };
    const size = Math.max(stat.size, limitBytes + 1);
    return { fault: "too-large", cause: `it has ${size} bytes, over the limit of ${limitBytes}` };
  } catch (error) {
    return faultOf(error);
  } finally {
    await handle?.close();
  }
}

/** The size that `stat` gave may be out of date, so what is counted is what was read. */
async function readUpTo(
  handle: FileHandle,
  limitBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream({ end: limitBytes, autoClose: false })) {
    chunks.push(chunk);
    size += chunk.length;
  }
  if (size > limitBytes) return undefined;
  // Not Buffer.concat, whose result may share its memory with others.
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function faultOf(error: unknown): FileReading {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "ENOENT" || code === "ENOTDIR") return { fault: "missing", cause: "there is no such file" };
  if (code === "EACCES" || code === "EPERM") return { fault: "unreadable", cause: "permission is denied" };
  if (code === "ELOOP") return { fault: "unreadable", cause: "its symbolic links form a loop" };
  if (code === "ENXIO") return { fault: "unreadable", cause: "it is not a regular file" };
  return { fault: "unreadable", cause: `the system says ${code}` };
}
