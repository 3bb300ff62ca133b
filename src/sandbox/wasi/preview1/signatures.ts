import { type FunctionType, ValueTypes } from "../../binary/core-types.js";

/** The name of the module that all of these are imported from. */
export const PREVIEW1 = "wasi_snapshot_preview1";

/**
 * Every function of preview 1 as the core layer has it: its parameters, `i` for an `i32` and `l` for an `i64`. A list
 * or a text is an address and a length, and results but the error number are written to addresses that come last.
 * Source: https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/witx/wasi_snapshot_preview1.witx
 */
const PARAMETERS = {
  args_get: "ii",
  args_sizes_get: "ii",
  environ_get: "ii",
  environ_sizes_get: "ii",
  clock_res_get: "ii",
  clock_time_get: "ili",
  fd_advise: "illi",
  fd_allocate: "ill",
  fd_close: "i",
  fd_datasync: "i",
  fd_fdstat_get: "ii",
  fd_fdstat_set_flags: "ii",
  fd_fdstat_set_rights: "ill",
  fd_filestat_get: "ii",
  fd_filestat_set_size: "il",
  fd_filestat_set_times: "illi",
  fd_pread: "iiili",
  fd_prestat_get: "ii",
  fd_prestat_dir_name: "iii",
  fd_pwrite: "iiili",
  fd_read: "iiii",
  fd_readdir: "iiili",
  fd_renumber: "ii",
  fd_seek: "ilii",
  fd_sync: "i",
  fd_tell: "ii",
  fd_write: "iiii",
  path_create_directory: "iii",
  path_filestat_get: "iiiii",
  path_filestat_set_times: "iiiilli",
  path_link: "iiiiiii",
  path_open: "iiiiillii",
  path_readlink: "iiiiii",
  path_remove_directory: "iii",
  path_rename: "iiiiii",
  path_symlink: "iiiii",
  path_unlink_file: "iii",
  poll_oneoff: "iiii",
  proc_exit: "i",
  proc_raise: "i",
  sched_yield: "",
  random_get: "ii",
  sock_accept: "iii",
  sock_recv: "iiiiii",
  sock_send: "iiiii",
  sock_shutdown: "ii",
} as const;

export type FunctionName = keyof typeof PARAMETERS;

export const FUNCTION_NAMES = Object.keys(PARAMETERS) as FunctionName[];

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(PARAMETERS, name);
}

/** All give an error number, but for the one that never returns. */
export function signatureOf(name: FunctionName): FunctionType {
  const params = Array.from(PARAMETERS[name], (letter) => (letter === "i" ? ValueTypes.i32 : ValueTypes.i64));
  return { params, results: name === "proc_exit" ? [] : [ValueTypes.i32] };
}
