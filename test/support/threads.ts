import { Worker } from "node:worker_threads";

/** The number of a new worker thread, which is one more than that of the one before it. */
function nextThread(): number {
  const worker = new Worker("", { eval: true });
  const { threadId } = worker;
  void worker.terminate();
  return threadId;
}

/** How many worker threads this process starts meanwhile. */
export async function threadsStartedBy(act: () => Promise<unknown>): Promise<number> {
  const before = nextThread();
  await act();
  return nextThread() - before - 1;
}
