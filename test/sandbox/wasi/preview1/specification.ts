import type { FunctionName } from "#src/sandbox/wasi/preview1/signatures";

/**
 * Error numbers, by their place in the list of the specification.
 * https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md#errno
 */
export const ERRNO = { success: 0, badf: 8, fault: 21, inval: 28, nosys: 52, notsock: 57, notcapable: 76 };

/** One call of a function, and what a process gets that has nothing but three streams. */
export type Call = readonly [name: FunctionName, parameters: string, errno: keyof typeof ERRNO];

/** Where the path "etc/passwd" is, and how long it is; a list of one buffer of 64 bytes; room for results. */
export const PATH = 16;
export const PATH_BYTES = 10;
export const BUFFERS = 32;
export const ROOM = 256;

/** Makes parameters of numbers, of which those with an `n` are of 64 bits. */
const p = (...numbers: (number | bigint)[]) =>
  numbers.map((one) => `(${typeof one === "bigint" ? "i64" : "i32"}.const ${one})`).join(" ");
const path = [PATH, PATH_BYTES] as const;
const buffers = [BUFFERS, 1] as const;

const STREAMS = [0, 1, 2];
/** No file was opened before the start, so that these are none. */
const CLOSED = [3, 4, 100, 0x7fff_ffff, -1];

/** The same call for streams, which lack the right that the function needs, and for what is not open. */
function unlessCapable(name: FunctionName, parameters: (fd: number) => string): Call[] {
  return [
    ...STREAMS.map((fd): Call => [name, parameters(fd), "notcapable"]),
    ...CLOSED.map((fd): Call => [name, parameters(fd), "badf"]),
  ];
}

/**
 * Every function with arguments as a program would give them. By the rights that the specification names for each,
 * and its description where that names an error.
 * https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
 */
export const CALLS: readonly Call[] = [
  ["args_sizes_get", p(ROOM, ROOM + 4), "success"],
  ["args_get", p(ROOM, ROOM), "success"],
  ["environ_sizes_get", p(ROOM, ROOM + 4), "success"],
  ["environ_get", p(ROOM, ROOM), "success"],

  ["clock_res_get", p(0, ROOM), "success"],
  ["clock_res_get", p(1, ROOM), "success"],
  ["clock_res_get", p(2, ROOM), "inval"],
  ["clock_res_get", p(-1, ROOM), "inval"],
  ["clock_time_get", p(0, 0n, ROOM), "success"],
  ["clock_time_get", p(1, 1n, ROOM), "success"],
  ["clock_time_get", p(2, 0n, ROOM), "inval"],
  ["clock_time_get", p(3, 0n, ROOM), "inval"],
  ["clock_time_get", p(4, 0n, ROOM), "inval"],

  ...unlessCapable("fd_advise", (fd) => p(fd, 0n, 1n, 0)),
  ...unlessCapable("fd_allocate", (fd) => p(fd, 0n, 1n)),
  ...unlessCapable("fd_datasync", (fd) => p(fd)),
  ...unlessCapable("fd_fdstat_set_flags", (fd) => p(fd, 0)),
  ...unlessCapable("fd_filestat_set_size", (fd) => p(fd, 0n)),
  ...unlessCapable("fd_filestat_set_times", (fd) => p(fd, 0n, 0n, 10)),
  ...unlessCapable("fd_pread", (fd) => p(fd, ...buffers, 0n, ROOM)),
  ...unlessCapable("fd_pwrite", (fd) => p(fd, ...buffers, 0n, ROOM)),
  ...unlessCapable("fd_readdir", (fd) => p(fd, ROOM, 64, 0n, ROOM)),
  ...unlessCapable("fd_seek", (fd) => p(fd, 0n, 1, ROOM)),
  ...unlessCapable("fd_sync", (fd) => p(fd)),
  ...unlessCapable("fd_tell", (fd) => p(fd, ROOM)),
  ...unlessCapable("fd_fdstat_set_rights", (fd) => p(fd, -1n, 0n)),
  ...unlessCapable("fd_fdstat_set_rights", (fd) => p(fd, 0n, 1n)),

  ["fd_read", p(0, ...buffers, ROOM), "success"],
  ["fd_read", p(1, ...buffers, ROOM), "notcapable"],
  ["fd_read", p(2, ...buffers, ROOM), "notcapable"],
  ["fd_read", p(3, ...buffers, ROOM), "badf"],
  ["fd_write", p(0, ...buffers, ROOM), "notcapable"],
  ["fd_write", p(3, ...buffers, ROOM), "badf"],
  ["fd_write", p(-1, ...buffers, ROOM), "badf"],
  ...STREAMS.map((fd): Call => ["fd_fdstat_get", p(fd, ROOM), "success"]),
  ...CLOSED.map((fd): Call => ["fd_fdstat_get", p(fd, ROOM), "badf"]),
  ...STREAMS.map((fd): Call => ["fd_filestat_get", p(fd, ROOM), "success"]),
  ...CLOSED.map((fd): Call => ["fd_filestat_get", p(fd, ROOM), "badf"]),
  // No file was opened before the start.
  ...[...STREAMS, ...CLOSED].map((fd): Call => ["fd_prestat_get", p(fd, ROOM), "badf"]),
  ...[...STREAMS, ...CLOSED].map((fd): Call => ["fd_prestat_dir_name", p(fd, ROOM, 64), "badf"]),
  ...CLOSED.map((fd): Call => ["fd_close", p(fd), "badf"]),
  ["fd_renumber", p(0, 3), "badf"],
  ["fd_renumber", p(3, 0), "badf"],
  ["fd_renumber", p(1, 1), "success"],

  ...unlessCapable("path_create_directory", (fd) => p(fd, ...path)),
  ...unlessCapable("path_filestat_get", (fd) => p(fd, 1, ...path, ROOM)),
  ...unlessCapable("path_filestat_set_times", (fd) => p(fd, 1, ...path, 0n, 0n, 10)),
  ...unlessCapable("path_link", (fd) => p(fd, 0, ...path, 0, ...path)),
  ["path_link", p(0, 0, ...path, 3, ...path), "notcapable"],
  ...unlessCapable("path_open", (fd) => p(fd, 0, ...path, 0, 2n, 0n, 0, ROOM)),
  ...unlessCapable("path_open", (fd) => p(fd, 1, ...path, 9, -1n, -1n, 1, ROOM)),
  ...unlessCapable("path_readlink", (fd) => p(fd, ...path, ROOM, 64, ROOM)),
  ...unlessCapable("path_remove_directory", (fd) => p(fd, ...path)),
  ...unlessCapable("path_rename", (fd) => p(fd, ...path, 0, ...path)),
  ...unlessCapable("path_symlink", (fd) => p(...path, fd, ...path)),
  ...unlessCapable("path_unlink_file", (fd) => p(fd, ...path)),

  ["poll_oneoff", p(ROOM, ROOM + 64, 0, ROOM + 128), "inval"],
  // One subscription, to the time that it is: zeros.
  ["poll_oneoff", p(1024, 1088, 1, ROOM), "success"],
  ["proc_raise", p(0), "nosys"],
  ["proc_raise", p(6), "nosys"],
  ["proc_raise", p(9), "nosys"],
  ["sched_yield", "", "success"],
  ["random_get", p(ROOM, 32), "success"],

  ...unlessCapable("sock_accept", (fd) => p(fd, 0, ROOM)),
  ["sock_recv", p(0, ...buffers, 0, ROOM, ROOM + 4), "notsock"],
  ["sock_recv", p(1, ...buffers, 0, ROOM, ROOM + 4), "notcapable"],
  ["sock_recv", p(3, ...buffers, 0, ROOM, ROOM + 4), "badf"],
  ["sock_send", p(0, ...buffers, 0, ROOM), "notcapable"],
  ["sock_send", p(1, ...buffers, 0, ROOM), "notsock"],
  ["sock_send", p(3, ...buffers, 0, ROOM), "badf"],
  ...unlessCapable("sock_shutdown", (fd) => p(fd, 1)),
];

/** Where the errors are kept. */
export const ERRORS = 12_288;

/** A command that makes all of these calls, and then tells their errors on stdout, a byte for each. */
export function callingAll(calls: readonly Call[] = CALLS): { start: string; fields: string } {
  const told = calls.map(
    ([name, parameters], i) => `(i32.store8 (i32.const ${ERRORS + i}) (call $${name} ${parameters}))`,
  );
  return {
    fields: `(data (i32.const ${PATH}) "etc/passwd")
      (data (i32.const ${BUFFERS}) "\\00\\02\\00\\00\\40\\00\\00\\00")`,
    start: `${told.join("\n")} (call $write (i32.const 1) (i32.const ${ERRORS}) (i32.const ${calls.length}))`,
  };
}
