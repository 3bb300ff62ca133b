import type { WasmhookError } from "../../errors.js";
import type { CanonOptions } from "../binary/component-definition.js";
import type { Sort } from "../binary/component-scope.js";
import type { Component, FuncType, ModuleSection } from "../binary/component-types.js";
import type { CoreType } from "./core-type.js";
import type { CoreRef, HostFunctionName } from "./plan.js";

/**
 * An item of the core layer, or why it must not be used. A function that only traps, as toolchains put in place of
 * WASI, may be imported all the same: nothing has to be carried over to it or back.
 */
export type CoreItem = (
  | UsableItem
  | { readonly type: Pick<CoreType, "kind">; readonly refusal: WasmhookError }
) & { readonly onlyTraps?: boolean };

export interface UsableItem {
  readonly ref: CoreRef;
  readonly type: CoreType;
}

/** @throws the item's refusal */
export function usable(item: CoreItem): UsableItem {
  if ("refusal" in item) throw item.refusal;
  return item;
}

/** A function of the component layer: the host's, or one of the guest's, which nothing has checked yet. */
export type Func =
  | { readonly from: "host"; readonly name: HostFunctionName }
  | {
      readonly from: "guest";
      readonly func: CoreItem;
      readonly type: FuncType;
      readonly options: CanonOptions;
      /** Whose indices the options are. */
      readonly scope: LinkScope;
      readonly offset: number;
    };

/** What stands in each index space once a component is instantiated. */
interface Values {
  "core func": CoreItem;
  "core table": CoreItem;
  "core memory": CoreItem;
  "core global": CoreItem;
  "core tag": CoreItem;
  "core type": undefined;
  "core instance": ReadonlyMap<string, CoreItem>;
  "core module": ModuleSection;
  func: Func;
  /** A resource's number in the plan; other types do not matter any more. */
  type: number | undefined;
  /** With the scope that its outer aliases lead to. */
  component: { readonly component: Component; readonly outer: LinkScope };
  instance: Instance;
}

export type Value<S extends Sort = Sort> = { readonly [K in S]: { sort: K; is: Values[K] } }[S];
export type Instance = ReadonlyMap<string, Value>;

/** The index spaces of one component instance, filled as its definitions are carried out. */
export class LinkScope {
  readonly outer: LinkScope | undefined;
  /** Tells component instances apart. */
  readonly instance: number;
  readonly #spaces = new Map<Sort, Value[]>();

  constructor(outer: LinkScope | undefined, instance: number) {
    this.outer = outer;
    this.instance = instance;
  }

  add(value: Value): void {
    const space = this.#spaces.get(value.sort);
    if (space === undefined) this.#spaces.set(value.sort, [value]);
    else space.push(value);
  }

  value<S extends Sort>(sort: S, index: number): Value<S> {
    const value = this.#spaces.get(sort)?.[index];
    // The reader has checked every index.
    if (value === undefined) throw new RangeError(`there is no ${sort} ${index}`);
    return value as Value<S>;
  }

  get<S extends Sort>(sort: S, index: number): Values[S] {
    return this.value(sort, index).is;
  }

  /** The scope that is `count` scopes out. */
  out(count: number): LinkScope {
    let scope: LinkScope | undefined = this;
    for (let i = 0; i < count; i++) scope = scope?.outer;
    if (scope === undefined) throw new RangeError(`there are no ${count} scopes around this one`);
    return scope;
  }
}
