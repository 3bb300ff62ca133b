/**
 * The rights of preview 1, in the order of their bits.
 * Source: https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/witx/typenames.witx
 */
const NAMES = [
  "fd_datasync",
  "fd_read",
  "fd_seek",
  "fd_fdstat_set_flags",
  "fd_sync",
  "fd_tell",
  "fd_write",
  "fd_advise",
  "fd_allocate",
  "path_create_directory",
  "path_create_file",
  "path_link_source",
  "path_link_target",
  "path_open",
  "fd_readdir",
  "path_readlink",
  "path_rename_source",
  "path_rename_target",
  "path_filestat_get",
  "path_filestat_set_size",
  "path_filestat_set_times",
  "fd_filestat_get",
  "fd_filestat_set_size",
  "fd_filestat_set_times",
  "path_symlink",
  "path_remove_directory",
  "path_unlink_file",
  "poll_fd_readwrite",
  "sock_shutdown",
  "sock_accept",
] as const;

export type Right = (typeof NAMES)[number];

/** Rights as the number that stands for them. */
export function rightsOf(...rights: Right[]): bigint {
  return rights.reduce((bits, right) => bits | (1n << BigInt(NAMES.indexOf(right))), 0n);
}
