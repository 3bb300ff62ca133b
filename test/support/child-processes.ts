import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The ids of the processes that a process has started and that have not ended. */
export async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat=,comm="]);
  return stdout.split("\n").flatMap((line) => {
    const [pid, ppid, state = "", command = ""] = line.trim().split(/\s+/);
    // `ps` itself is one of them, and what has ended is listed until its parent has looked.
    return Number(ppid) === parent && !state.startsWith("Z") && command !== "ps" ? [Number(pid)] : [];
  });
}
