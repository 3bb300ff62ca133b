import { spawn } from "node:child_process";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** How many sets of pipes, of six descriptors each, are made beyond demand: a shell costs as much as a small command. */
const SPARES = 7;
/** Far more than the milliseconds that it takes. */
const SHELL_TIMEOUT_MS = 5_000;

/**
 * A shell makes three pipes at a time, each the empty rest of a here-document, and says where they are found:
 * its process id as /proc has it, which in a process id namespace may be another than its parent knows.
 */
const MAKE_PIPES = `read -r pid rest </proc/self/stat &&
while exec 3<<E 4<<E 5<<E && read -r x <&3 && read -r x <&4 && read -r x <&5 && echo "$pid" && read -r x

E

E

E
do :; done`;

/** Descriptors of a command's stdin, stdout and stderr, in this order. */
type Descriptors = readonly [stdin: number, stdout: number, stderr: number];

export interface Pipes {
  ours: Descriptors;
  /** In blocking mode, as programs expect it. */
  theirs: Descriptors;
}

const spares: Pipes[] = [];
const waiting: ((pipes: Pipes | undefined) => void)[] = [];
let making = false;
let toSpare = 0;

/**
 * Real pipes for a command. The pipes that Node makes are UNIX sockets, which Linux does not open by the names
 * `/dev/stdin`, `/dev/stdout` and `/dev/stderr` (https://github.com/nodejs/node/issues/21941), and no named pipe
 * will do, since a reader that opens one after its writer has gone waits for ever: fifo(7).
 *
 * `undefined`, so that Node's own have to do: on other systems, which have no need; in a worker thread, where
 * Node takes descriptors for its own to close; and where it cannot be done, which wants /proc, descriptors to
 * spare, and an `sh` on the PATH whose short here-documents are pipes (dash, busybox, bash from 5.1). There a
 * command that opens `/dev/stdin` by name fails.
 */
export async function takePipes(): Promise<Pipes | undefined> {
  if (process.platform !== "linux" || !isMainThread) return undefined;
  return spares.pop() ?? newPipes();
}

/** Our ends as streams, which close them. */
export function connect([stdin, stdout, stderr]: Descriptors): {
  stdin: Socket;
  stdout: Socket;
  stderr: Socket;
} {
  return {
    stdin: new Socket({ fd: stdin, readable: false, writable: true }),
    stdout: new Socket({ fd: stdout, readable: true, writable: false }),
    stderr: new Socket({ fd: stderr, readable: true, writable: false }),
  };
}

export function closeAll(...lists: (readonly number[] | undefined)[]): void {
  for (const descriptor of lists.flatMap((list) => list ?? [])) closeSync(descriptor);
}

/** Closes the pipes that were made for commands to come. More are made when the next command needs some. */
export function closeSparePipes(): void {
  toSpare = 0;
  for (const { ours, theirs } of spares.splice(0)) closeAll(ours, theirs);
}

function newPipes(): Promise<Pipes | undefined> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!making) void serve();
  });
}

async function serve(): Promise<void> {
  making = true;
  while (waiting.length > 0) {
    const first = new Set(waiting);
    if (await makeBatch()) continue;
    for (const next of waiting.filter((one) => first.has(one))) next(undefined);
    // Again for those who came while a shell was ending, whatever became of it.
    waiting.splice(0, waiting.length, ...waiting.filter((one) => !first.has(one)));
  }
  making = false;
}

/** Whether all who waited were served. Whatever keeps it from that, commands can do without: see takePipes. */
async function makeBatch(): Promise<boolean> {
  toSpare = SPARES;
  try {
    for await (const pipes of madeByShell()) {
      give(pipes);
      if (waiting.length === 0 && toSpare === 0) return true;
    }
  } catch {}
  return false;
}

function give(pipes: Pipes): void {
  const next = waiting.shift();
  if (next !== undefined) next(pipes);
  else if (toSpare === 0) closeAll(pipes.ours, pipes.theirs);
  else {
    toSpare -= 1;
    spares.push(pipes);
  }
}

async function* madeByShell(): AsyncGenerator<Pipes> {
  const { PATH } = process.env;
  // In a session of its own, so that no Ctrl-C reaches it. It ends when its stdin does, as when this process dies.
  const shell = spawn("sh", ["-c", MAKE_PIPES], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH },
    detached: true,
    timeout: SHELL_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  try {
    for await (const pid of shell.stdout.setEncoding("latin1")) {
      yield openPipes(Number(pid));
      shell.stdin.write("\n");
    }
  } finally {
    shell.stdin.destroy();
  }
}

function openPipes(pid: number): Pipes {
  const opened: number[] = [];
  const open = (fd: number, flags: number): number => {
    const end = openSync(`/proc/${pid}/fd/${fd}`, flags);
    opened.push(end);
    if (!fstatSync(end).isFIFO()) throw new Error("the here-documents of this shell are no pipes");
    return end;
  };
  try {
    return {
      ours: [open(3, O_WRONLY | O_NONBLOCK), open(4, O_RDONLY | O_NONBLOCK), open(5, O_RDONLY | O_NONBLOCK)],
      theirs: [open(3, O_RDONLY), open(4, O_WRONLY), open(5, O_WRONLY)],
    };
  } catch (cause) {
    closeAll(opened);
    throw cause;
  }
}
