/** Who called whom, and what each took itself: `function` counts the functions of all modules, -1 is the host. */
export interface CallNode {
  readonly function: number;
  calls: number;
  selfFuel: number;
  readonly children: CallNode[];
}

interface Open {
  readonly node: CallNode;
  readonly callees: Map<number, Open>;
  readonly caller: Open | undefined;
}

export const HOST_FUNCTION = -1;

/** Adds up the fuel between one call or return and the next for the function that was running in between. */
export class CallTree {
  readonly root: CallNode;
  #running: Open;
  #fuelAtLast = 0;

  constructor() {
    this.#running = open(HOST_FUNCTION, undefined);
    this.root = this.#running.node;
  }

  enter(callee: number, fuelUsed: number): void {
    this.spend(fuelUsed);
    const caller = this.#running;
    let called = caller.callees.get(callee);
    if (called === undefined) {
      called = open(callee, caller);
      caller.callees.set(callee, called);
      caller.node.children.push(called.node);
    }
    called.node.calls++;
    this.#running = called;
  }

  leave(callee: number, fuelUsed: number): void {
    this.spend(fuelUsed);
    // An exception may have ended calls of which nothing more was told.
    let left: Open | undefined = this.#running;
    while (left !== undefined && left.node.function !== callee) left = left.caller;
    if (left?.caller !== undefined) this.#running = left.caller;
  }

  /** All that was used since is the running function's. */
  spend(fuelUsed: number): void {
    this.#running.node.selfFuel += fuelUsed - this.#fuelAtLast;
    this.#fuelAtLast = fuelUsed;
  }

  /** At the end of a run, whatever was running. */
  end(fuelUsed: number): void {
    this.spend(fuelUsed);
  }
}

function open(callee: number, caller: Open | undefined): Open {
  return { node: { function: callee, calls: 0, selfFuel: 0, children: [] }, callees: new Map(), caller };
}
