import { NANOSECONDS_PER_UNIT } from "./guest-clock.js";
import { readIovecs } from "./iovecs.js";
import { poll } from "./poll.js";
import type { Right } from "./rights.js";
import type { FunctionName } from "./signatures.js";
import type { System } from "./system.js";
import { SystemError } from "./system-error.js";

/** Does what a function is for. Parameters are unsigned where they are 32 bits. @throws SystemError */
export type SystemFunction = (system: System, ...parameters: never[]) => void;

/** Of descriptors, each with the rights that a function needs of it. */
type Needs = readonly (readonly [parameter: number, ...rights: Right[]])[];

const FDSTAT_BYTES = 24;
const FILESTAT_BYTES = 64;

/** What a command can do. */
const FUNCTIONS = {
  args_get: nothing,
  environ_get: nothing,
  args_sizes_get: noTexts,
  environ_sizes_get: noTexts,

  clock_res_get({ clock, memory }: System, id: number, returned: number): void {
    clock.now(id);
    memory.view(returned, 8).setBigUint64(0, NANOSECONDS_PER_UNIT, true);
  },
  clock_time_get({ clock, memory }: System, id: number, _precision: bigint, returned: number): void {
    memory.view(returned, 8).setBigUint64(0, clock.now(id), true);
  },

  fd_read: transfer("fd_read"),
  fd_write: transfer("fd_write"),
  fd_close({ descriptors }: System, fd: number): void {
    descriptors.close(fd);
  },
  fd_renumber({ descriptors }: System, from: number, to: number): void {
    descriptors.renumber(from, to);
  },
  fd_fdstat_get({ descriptors, memory }: System, fd: number, returned: number): void {
    const { rights } = descriptors.get(fd);
    const fdstat = emptied(memory.view(returned, FDSTAT_BYTES));
    // Of no type that has a name here, as a pipe is, and nothing can be opened by way of it.
    fdstat.setBigUint64(8, rights, true);
  },
  fd_fdstat_set_rights({ descriptors }: System, fd: number, base: bigint, inheriting: bigint): void {
    const descriptor = descriptors.get(fd);
    if ((base & ~descriptor.rights) !== 0n || inheriting !== 0n) throw SystemError.of("notcapable");
    descriptor.rights = base;
  },
  fd_filestat_get({ descriptors, memory }: System, fd: number, returned: number): void {
    descriptors.get(fd, "fd_filestat_get");
    const filestat = emptied(memory.view(returned, FILESTAT_BYTES));
    filestat.setBigUint64(24, 1n, true);
  },
  fd_prestat_get: notPreopened,
  fd_prestat_dir_name: notPreopened,

  poll_oneoff(system: System, subscriptions: number, events: number, count: number, returned: number): void {
    const told = system.memory.view(returned, 4);
    told.setUint32(0, poll(system, subscriptions, events, count), true);
  },
  proc_exit(system: System, code: number): void {
    system.exitCode = code;
    system.host.end();
  },
  proc_raise(): void {
    throw SystemError.of("nosys");
  },
  sched_yield: nothing,
  random_get({ memory, random }: System, address: number, bytes: number): void {
    random.fill(memory.bytes(address, bytes));
  },
};

/**
 * What no descriptor here has the rights for, or where it has them, is no socket. By the rights that the types
 * of preview 1 name for each function.
 */
const NEEDS = {
  fd_advise: [[0, "fd_advise"]],
  fd_allocate: [[0, "fd_allocate"]],
  fd_datasync: [[0, "fd_datasync"]],
  fd_fdstat_set_flags: [[0, "fd_fdstat_set_flags"]],
  fd_filestat_set_size: [[0, "fd_filestat_set_size"]],
  fd_filestat_set_times: [[0, "fd_filestat_set_times"]],
  fd_pread: [[0, "fd_read", "fd_seek"]],
  fd_pwrite: [[0, "fd_write", "fd_seek"]],
  fd_readdir: [[0, "fd_readdir"]],
  fd_seek: [[0, "fd_seek"]],
  fd_sync: [[0, "fd_sync"]],
  fd_tell: [[0, "fd_tell"]],
  path_create_directory: [[0, "path_create_directory"]],
  path_filestat_get: [[0, "path_filestat_get"]],
  path_filestat_set_times: [[0, "path_filestat_set_times"]],
  path_link: [
    [0, "path_link_source"],
    [4, "path_link_target"],
  ],
  path_open: [[0, "path_open"]],
  path_readlink: [[0, "path_readlink"]],
  path_remove_directory: [[0, "path_remove_directory"]],
  path_rename: [
    [0, "path_rename_source"],
    [3, "path_rename_target"],
  ],
  path_symlink: [[2, "path_symlink"]],
  path_unlink_file: [[0, "path_unlink_file"]],
  sock_accept: [[0, "sock_accept"]],
  sock_recv: [[0, "fd_read"]],
  sock_send: [[0, "fd_write"]],
  sock_shutdown: [[0, "sock_shutdown"]],
} as const satisfies Partial<Record<FunctionName, Needs>>;

export const SYSTEM_FUNCTIONS: Readonly<Record<FunctionName, SystemFunction>> = {
  ...FUNCTIONS,
  ...(Object.fromEntries(Object.entries(NEEDS).map(([name, needs]) => [name, refuse(needs)])) as Record<
    keyof typeof NEEDS,
    SystemFunction
  >),
};

function refuse(needs: Needs): SystemFunction {
  return ({ descriptors }: System, ...parameters: number[]) => {
    for (const [parameter, ...rights] of needs) descriptors.get(parameters[parameter] ?? -1, ...rights);
    throw SystemError.of("notsock");
  };
}

function nothing(): void {}

/** There are none, of no bytes together. */
function noTexts({ memory }: System, count: number, bytes: number): void {
  const [first, second] = [memory.view(count, 4), memory.view(bytes, 4)];
  first.setUint32(0, 0, true);
  second.setUint32(0, 0, true);
}

function notPreopened(): void {
  throw SystemError.of("badf");
}

function transfer(right: "fd_read" | "fd_write"): SystemFunction {
  return (
    { descriptors, memory, host }: System,
    fd: number,
    iovecs: number,
    count: number,
    returned: number,
  ) => {
    const { stream } = descriptors.get(fd, right);
    const buffers = readIovecs(iovecs, count, memory, host);
    // Before anything is read or written.
    const result = memory.view(returned, 4);
    result.setUint32(0, stream.transfer(buffers), true);
  };
}

function emptied(view: DataView): DataView {
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(0);
  return view;
}
