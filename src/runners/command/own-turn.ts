let last = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other caller gets. Starting a process holds the loop up for a
 * millisecond or more, and many hooks may run at once.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
