import type { CoreModule } from "../binary/core-module.js";
import { type FunctionType, type ValueType, ValueTypes } from "../binary/core-types.js";

/** The types that a metered module has beside the guest's own, which they come after. */
export class AddedTypes {
  readonly all: FunctionType[] = [];
  private readonly module: CoreModule;
  private readonly indexByText = new Map<string, number>();
  private readonly passing: number[] = [];

  constructor(module: CoreModule) {
    this.module = module;
  }

  index(type: FunctionType): number {
    const text = `${type.params} ${type.results}`;
    const known = this.indexByText.get(text);
    if (known !== undefined) return known;
    const index = this.module.types.length + this.all.push(type) - 1;
    this.indexByText.set(text, index);
    return index;
  }

  /** Of a function of the guest's type `typeIndex` that is handed the fuel, and hands it back. */
  passingFuel(typeIndex: number): number {
    const known = this.passing[typeIndex];
    if (known !== undefined) return known;
    const type = this.module.types[typeIndex];
    const withFuel = (types: readonly ValueType[] = []) => [...types, ValueTypes.i64];
    const index = this.index({ params: withFuel(type?.params), results: withFuel(type?.results) });
    this.passing[typeIndex] = index;
    return index;
  }
}
