import { badValue } from "../failure.js";

interface Handle {
  readonly resource: number;
  readonly rep: number;
}

/**
 * The handles that one component instance holds, by number; 0 is never one. All are owned: a hook lends
 * none and is lent none.
 * https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md#table-state
 */
export class HandleTable {
  readonly #handles: (Handle | undefined)[] = [undefined];
  readonly #free: number[] = [];

  add(handle: Handle): number {
    const number = this.#free.pop() ?? this.#handles.length;
    this.#handles[number] = handle;
    return number;
  }

  /** What the handle stands for. @throws WasmhookError where it is none, or of another resource */
  rep(number: number, resource: number): number {
    const handle = this.#handles[number >>> 0];
    if (handle?.resource !== resource) throw badValue();
    return handle.rep;
  }

  remove(number: number, resource: number): number {
    const rep = this.rep(number, resource);
    this.#handles[number >>> 0] = undefined;
    this.#free.push(number >>> 0);
    return rep;
  }
}
