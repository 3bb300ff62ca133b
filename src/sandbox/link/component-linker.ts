import type { Definition } from "../binary/component-definition.js";
import type { Sort } from "../binary/component-scope.js";
import type { Component } from "../binary/component-types.js";
import { cannotLink } from "./cannot-link.js";
import { checkedFunction, DESTRUCTOR, lowered, RESOURCE_OPERATIONS } from "./canonical-functions.js";
import { CoreLinker, named } from "./core-linker.js";
import { type CoreItem, type Instance, LinkScope, type Value } from "./link-scope.js";
import type { ResourcePlan } from "./plan.js";

/** Definitions with their parts, over all component instances: far more than toolchains make. */
const WORK_LIMIT = 100_000;

/** Carries out the definitions of components, with index spaces of their own for each instance. */
export class ComponentLinker {
  readonly core: CoreLinker;
  readonly resources: ResourcePlan[] = [];
  #instances = 0;
  #work = 0;

  constructor(bytes: Uint8Array) {
    this.core = new CoreLinker(bytes);
  }

  instantiate(component: Component, outer: LinkScope | undefined, args: Instance): Instance {
    const scope = new LinkScope(outer, this.#instances++);
    const exports = new Map<string, Value>();
    for (const definition of component.body) {
      this.#work += 1 + partsOf(definition);
      if (this.#work > WORK_LIMIT) {
        const what = `its components define more than ${WORK_LIMIT} things, those of each instance counted`;
        throw cannotLink(definition.offset, what);
      }
      const value = this.#carryOut(definition, scope, args);
      scope.add(value);
      if (definition.kind === "export") exports.set(definition.name, value);
    }
    return exports;
  }

  #carryOut(definition: Definition, scope: LinkScope, args: Instance): Value {
    const { offset } = definition;
    switch (definition.kind) {
      case "core module":
        return { sort: "core module", is: definition.module };
      case "core type":
        return { sort: "core type", is: undefined };
      case "core instantiate": {
        const module = scope.get("core module", definition.module);
        return { sort: "core instance", is: this.core.instantiate(module, definition.args, scope, offset) };
      }
      case "core exports": {
        const is = named(definition.items, offset, ({ sort, index }) => coreItem(scope.value(sort, index)));
        return { sort: "core instance", is };
      }
      case "component":
        return { sort: "component", is: { component: definition.component, outer: scope } };
      case "instantiate": {
        const { component, outer } = scope.get("component", definition.component);
        const given = named(definition.args, offset, ({ sort, index }) => scope.value(sort, index));
        return { sort: "instance", is: this.instantiate(component, outer, given) };
      }
      case "exports": {
        const is = named(definition.items, offset, ({ sort, index }) => scope.value(sort, index));
        return { sort: "instance", is };
      }
      case "import":
        return found(args, definition, "a component is not given its import");
      case "export":
        return scope.value(definition.sort, definition.index);
      case "alias outer":
        return scope.out(definition.count).value(definition.sort, definition.index);
      case "alias export":
        return found(
          scope.get("instance", definition.instance),
          definition,
          "an instance does not have its export",
        );
      case "alias core export": {
        const { sort, instance, name } = definition;
        const item = scope.get("core instance", instance).get(name);
        if (item === undefined || sort !== `core ${item.type.kind}`) {
          throw cannotLink(offset, `a core instance exports no ${sort} ${name}`);
        }
        return coreValue(item);
      }
      case "lift": {
        const { type, options } = definition;
        const func = scope.get("core func", definition.func);
        return { sort: "func", is: { from: "guest", func, type, options, scope, offset } };
      }
      case "lower":
        return coreValue(lowered(scope.get("func", definition.func), definition.options, scope, offset));
      case "type":
        return {
          sort: "type",
          is: definition.resource && this.#resource(definition.resource, scope, offset),
        };
      case "resource":
        return coreValue(this.#resourceOperation(definition, scope));
    }
  }

  #resource({ dtor }: { dtor: number | undefined }, scope: LinkScope, offset: number): number {
    const owner = scope.instance;
    if (dtor === undefined) return this.resources.push({ owner }) - 1;
    const ref = checkedFunction(scope.get("core func", dtor), DESTRUCTOR, "a destructor", offset);
    return this.resources.push({ owner, dtor: ref }) - 1;
  }

  #resourceOperation(definition: Definition & { kind: "resource" }, scope: LinkScope): CoreItem {
    const { operation, offset } = definition;
    const resource = scope.get("type", definition.type);
    const isOwn = resource !== undefined && this.resources[resource]?.owner === scope.instance;
    if (resource === undefined || (operation !== "drop" && !isOwn)) {
      throw cannotLink(offset, `a component has resource.${operation} for a resource that is not its own`);
    }
    const ref = { from: "resource", operation, resource, holder: scope.instance } as const;
    return { ref, type: RESOURCE_OPERATIONS[operation] };
  }
}

function partsOf(definition: Definition): number {
  if ("args" in definition) return definition.args.length;
  return "items" in definition ? definition.items.length : 0;
}

/** What an import or an alias asks for by name. */
function found(
  given: Instance,
  { name, sort, offset }: { name: string; sort: Sort; offset: number },
  problem: string,
): Value {
  const value = given.get(name);
  if (value?.sort !== sort) throw cannotLink(offset, `${problem} ${name} (${sort})`);
  return value;
}

function coreValue(item: CoreItem): Value {
  return { sort: `core ${item.type.kind}`, is: item };
}

function coreItem(value: Value): CoreItem {
  switch (value.sort) {
    case "core func":
    case "core table":
    case "core memory":
    case "core global":
    case "core tag":
      return value.is;
    default:
      throw new TypeError(`a ${value.sort} is no core item`);
  }
}
