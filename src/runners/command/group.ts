import { setTimeout as sleep } from "node:timers/promises";

/** From SIGTERM to SIGKILL: time for a hook to remove its lock files. */
export const TERM_GRACE_MS = 500;
/**
 * After SIGKILL: the longest wait for the system to take the processes away. It may take for ever where
 * process 1 never reaps (many containers) or a process sleeps uninterruptibly; more cannot be done then.
 */
export const KILL_WAIT_MS = 200;

const POLL_MS = 10;

/** The groups that may have a live process, by the process id of their leader. */
const liveGroups = new Set<number>();

/**
 * Takes note of a process group that this process started: what is left of it when this process exits is
 * killed. A signal that ends this process raises no `exit` event, so a program (not this library) has to turn
 * SIGINT, SIGTERM and SIGHUP into `process.exit`. Nothing can be done against a SIGKILL of this process.
 */
export function trackGroup(leader: number): void {
  if (liveGroups.size === 0) process.on("exit", killAllGroups);
  liveGroups.add(leader);
}

/**
 * To be called when the leader was reaped: where that was the whole group it is forgotten, since from then
 * on the system may give the number to a stranger. While a member lives, the number stays taken.
 */
export function leaderExited(leader: number): void {
  if (!send(leader, 0)) forget(leader);
}

/** SIGTERM, then SIGKILL to what is left. Resolves when the group is gone or cannot be killed; never rejects. */
export async function endGroup(leader: number): Promise<void> {
  if (!liveGroups.has(leader)) return;
  if (send(leader, "SIGTERM") && !(await gone(leader, TERM_GRACE_MS))) {
    send(leader, "SIGKILL");
    await gone(leader, KILL_WAIT_MS);
  }
  forget(leader);
}

function killAllGroups(): void {
  for (const leader of liveGroups) send(leader, "SIGKILL");
}

function forget(leader: number): void {
  if (liveGroups.delete(leader) && liveGroups.size === 0) process.off("exit", killAllGroups);
}

async function gone(leader: number, withinMs: number): Promise<boolean> {
  const giveUpMs = performance.now() + withinMs;
  while (send(leader, 0)) {
    if (performance.now() >= giveUpMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Whether there was somebody to take the signal; 0 only asks. */
function send(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    // ESRCH: nobody is left. EPERM: nobody that we may signal (macOS: only zombies).
    return false;
  }
}
