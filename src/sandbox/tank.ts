import { DEFAULT_MODULE_LIMITS } from "../hooks/module-limits.js";
import {
  fuelIn,
  MAX_FUEL,
  MAX_STACK_UNITS,
  type MeterGlobals,
  stackRanOut,
  tankValue,
} from "./meter-contract.js";

/** The size of a page of linear memory. Source: the WebAssembly core specification, 4.2.8. */
export const PAGE_BYTES = 65_536;

/** Elements over all tables of one guest: a toolchain needs one for each function that it points to. */
export const TABLE_ELEMENTS_LIMIT = DEFAULT_MODULE_LIMITS.tableElements;

/** The whole pages that a memory limit allows. */
export function pagesIn(memoryBytes: number): number {
  return Math.floor(memoryBytes / PAGE_BYTES);
}

/** What a core module holds from its instantiation on. */
export interface Minimum {
  pages: number;
  elements: number;
}

/**
 * What one run may still use: instructions, stack, pages of memory, elements of tables. The metered code of all
 * core modules of the guest counts these globals down by itself; only the host can name them.
 */
export class Tank {
  readonly globals: Record<keyof typeof MeterGlobals, WebAssembly.Global>;
  readonly #fuelLimit: number;
  readonly #pageLimit: number;
  readonly #fuel: WebAssembly.Global<bigint>;
  readonly #pages: WebAssembly.Global<number>;
  readonly #elements: WebAssembly.Global<number>;
  readonly #refused = new WebAssembly.Global<number>({ value: "i32", mutable: true }, 0);
  /** Once there is nothing left to use. */
  #usedWhenSealed: number | undefined;

  constructor(fuelLimit: number, memoryBytes: number) {
    this.#fuelLimit = fuelLimit;
    this.#pageLimit = pagesIn(memoryBytes);
    const full = tankValue(Math.min(fuelLimit, MAX_FUEL), MAX_STACK_UNITS);
    this.#fuel = new WebAssembly.Global({ value: "i64", mutable: true }, full);
    this.#pages = new WebAssembly.Global({ value: "i32", mutable: true }, this.#pageLimit);
    this.#elements = new WebAssembly.Global({ value: "i32", mutable: true }, TABLE_ELEMENTS_LIMIT);
    this.globals = { fuel: this.#fuel, pages: this.#pages, elements: this.#elements, refused: this.#refused };
  }

  /** Takes `units` of fuel. Once the counter is below zero it stays there. */
  charge(units: number): void {
    if (!this.isEmpty) this.#fuel.value -= tankValue(units, 0);
  }

  /** Takes all that is left, so that the guest traps wherever it is entered again. What it used up to here stands. */
  seal(): void {
    this.#usedWhenSealed ??= this.fuelUsed;
    this.#fuel.value = tankValue(-1, MAX_STACK_UNITS);
  }

  /** Whether there is nothing left, the guest having used it up or not. */
  get isEmpty(): boolean {
    return fuelIn(this.#fuel.value) < 0n;
  }

  get exhausted(): boolean {
    return this.#usedWhenSealed === undefined && this.isEmpty;
  }

  /** Whether calls were nested too deep. */
  get stackExhausted(): boolean {
    return stackRanOut(this.#fuel.value);
  }

  /** Whether a growth of a memory was refused. */
  get growthRefused(): boolean {
    return this.#refused.value !== 0;
  }

  get fuelUsed(): number {
    if (this.#usedWhenSealed !== undefined) return this.#usedWhenSealed;
    return this.isEmpty ? this.#fuelLimit : this.#fuelLimit - Number(fuelIn(this.#fuel.value));
  }

  /** Pages are never given back, so what is taken now is the most that was ever held. */
  get peakMemoryBytes(): number {
    return (this.#pageLimit - Math.max(0, this.#pages.value)) * PAGE_BYTES;
  }

  /** Takes what a module holds at once. Where that is more than is left, takes nothing and says of what. */
  claim({ pages, elements }: Minimum): "pages" | "elements" | undefined {
    if (pages > this.#pages.value) return "pages";
    if (elements > this.#elements.value) return "elements";
    this.#pages.value -= pages;
    this.#elements.value -= elements;
    return undefined;
  }
}
