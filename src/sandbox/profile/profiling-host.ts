import type { Limits } from "../../hooks/hook.js";
import { Host } from "../host.js";
import { CallTree } from "./call-tree.js";
import { PROFILE_TABLE } from "./wrap-functions.js";

/** Imports `enter` and `leave` and exports them: what a table holds has to come out of a module. */
const TELLERS = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x05, 0x01, 0x60, 0x01, 0x7f, 0x00],
  ...[0x02, 0x0d, 0x02, 0x01, 0x70, 0x01, 0x65, 0x00, 0x00, 0x01, 0x70, 0x01, 0x6c, 0x00, 0x00],
  ...[0x07, 0x09, 0x02, 0x01, 0x65, 0x00, 0x00, 0x01, 0x6c, 0x00, 0x01],
);

/** A host that is told of each call in the guest, and gives back the fuel that the telling took. */
export class ProfilingHost extends Host {
  readonly tree = new CallTree();
  readonly #enter: unknown;
  readonly #leave: unknown;

  /** @param wrapperFuel by the number that a function is told as */
  constructor(limits: Limits, config: string, wrapperFuel: readonly number[]) {
    super(limits, config);
    const { tank, tree } = this;
    const enter = (callee: number) => {
      // All of it was paid where the wrapper was entered.
      tank.charge(-(wrapperFuel[callee] ?? 0));
      tree.enter(callee, tank.fuelUsed);
    };
    const leave = (callee: number) => tree.leave(callee, tank.fuelUsed);
    const tellers = new WebAssembly.Instance(new WebAssembly.Module(TELLERS), { p: { e: enter, l: leave } });
    this.#enter = tellers.exports.e;
    this.#leave = tellers.exports.l;
  }

  override instantiated({ exports }: WebAssembly.Instance): void {
    const table = exports[PROFILE_TABLE];
    if (!(table instanceof WebAssembly.Table)) return;
    table.set(0, this.#enter);
    table.set(1, this.#leave);
  }
}
