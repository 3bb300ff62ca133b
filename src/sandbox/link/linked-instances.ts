import { calledStub, cannotLeave } from "../failure.js";
import type { Host } from "../host.js";
import { GuestText } from "./guest-text.js";
import { HandleTable } from "./handle-table.js";
import { hostFunction } from "./host-function.js";
import type { CoreRef, LinkPlan, TextOptions } from "./plan.js";
import { resourceFunction } from "./resource-function.js";

export type CoreFunction = (...args: number[]) => number;

/** What one run has made of a plan so far. */
export class LinkedInstances {
  readonly plan: LinkPlan;
  readonly host: Host;
  readonly #exports: WebAssembly.Exports[] = [];
  readonly #handles = new Map<number, HandleTable>();
  #mayLeave = true;

  constructor(plan: LinkPlan, host: Host) {
    this.plan = plan;
    this.host = host;
  }

  add(exports: WebAssembly.Exports): void {
    this.#exports.push(exports);
  }

  resolve(ref: CoreRef): unknown {
    switch (ref.from) {
      case "instance":
        return this.#exports[ref.instance]?.[ref.name];
      case "host":
        return hostFunction(this, ref.func, this.text(ref.text));
      case "resource":
        return resourceFunction(this, ref);
      case "stub":
        return this.host.guard(() => this.host.fail(calledStub()));
    }
  }

  func(ref: CoreRef): CoreFunction {
    return this.resolve(ref) as CoreFunction;
  }

  text({ memory, encoding, realloc }: TextOptions): GuestText {
    const allocator = realloc && this.func(realloc);
    return new GuestText(this.resolve(memory) as WebAssembly.Memory, encoding, (alignment, bytes) => {
      if (allocator === undefined) throw new TypeError("a function that takes no text was given one");
      return this.withoutLeaving(() => allocator(0, 0, alignment, bytes)) >>> 0;
    });
  }

  /** Of one component instance. */
  handles(holder: number): HandleTable {
    const handles = this.#handles.get(holder) ?? new HandleTable();
    this.#handles.set(holder, handles);
    return handles;
  }

  /**
   * Calls the guest where it may not call out, as it may not from `cabi_realloc` and post-return. Components
   * do not call each other, so that it is the same for all of them at any time.
   * https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md#component-instances
   */
  withoutLeaving<T>(call: () => T): T {
    this.#mayLeave = false;
    const result = call();
    this.#mayLeave = true;
    return result;
  }

  /** @throws WasmhookError `trap` */
  checkMayLeave(): void {
    if (!this.#mayLeave) throw cannotLeave();
  }
}
