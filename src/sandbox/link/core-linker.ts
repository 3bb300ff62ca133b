import type { Range } from "../binary/bytes.js";
import type { NamedItem } from "../binary/component-definition.js";
import type { ModuleSection } from "../binary/component-types.js";
import { type CoreModule, readCoreModule } from "../binary/core-module.js";
import { cannotLink } from "./cannot-link.js";
import { coreTypeOf, fits, isOfNumbers } from "./core-type.js";
import { type CoreItem, type LinkScope, usable } from "./link-scope.js";
import type { InstantiateStep } from "./plan.js";

type CoreInstance = ReadonlyMap<string, CoreItem>;

const STUB = { from: "stub" } as const;
/** `unreachable` and `end`. */
const ONLY_TRAPS = [0x00, 0x0b];

/** Plans the instances of core modules, and checks that what each imports is given, and of the right type. */
export class CoreLinker {
  readonly modules: Range[] = [];
  readonly steps: InstantiateStep[] = [];
  readonly #bytes: Uint8Array;
  readonly #read = new Map<ModuleSection, { number: number; module: CoreModule }>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  instantiate(
    section: ModuleSection,
    args: readonly NamedItem[],
    scope: LinkScope,
    offset: number,
  ): CoreInstance {
    const { number, module } = this.#module(section);
    const given = named(args, offset, ({ index }) => scope.get("core instance", index));
    const imports = module.imports.map(({ module: from, name, kind, index }) => {
      const item = given.get(from)?.get(name);
      if (item === undefined) throw cannotLink(offset, `a core module lacks its import ${from} ${name}`);
      const wanted = coreTypeOf(module, kind, index);
      const otherType = `a core module gets its import ${from} ${name} with another type`;
      if ("refusal" in item && item.onlyTraps && wanted.kind === "func") {
        if (!isOfNumbers(wanted.type)) throw cannotLink(offset, otherType);
        return { module: from, name, ref: STUB };
      }
      const { ref, type } = usable(item);
      if (!fits(wanted, type)) throw cannotLink(offset, otherType);
      return { module: from, name, ref };
    });
    const instance = this.steps.push({ module: number, imports }) - 1;
    return new Map(
      module.exports.map(({ name, kind, index }): [string, CoreItem] => {
        const ref = { from: "instance", instance, name } as const;
        const type = coreTypeOf(module, kind, index);
        return [name, { ref, type, onlyTraps: kind === "func" && onlyTraps(module, index) }];
      }),
    );
  }

  #module(section: ModuleSection): { number: number; module: CoreModule } {
    const known = this.#read.get(section);
    if (known !== undefined) return known;
    const { start, end } = section.range;
    const read = {
      number: this.modules.push(section.range) - 1,
      module: readCoreModule(this.#bytes, start, end),
    };
    this.#read.set(section, read);
    return read;
  }
}

function onlyTraps({ bytes, bodies, imported }: CoreModule, index: number): boolean {
  const code = bodies[index - imported.func]?.code;
  return (
    code !== undefined &&
    code.end - code.start === ONLY_TRAPS.length &&
    ONLY_TRAPS.every((byte, i) => bytes[code.start + i] === byte)
  );
}

/** What is given by name, each name once. */
export function named<T>(
  items: readonly NamedItem[],
  offset: number,
  resolve: (item: NamedItem) => T,
): Map<string, T> {
  const values = new Map(items.map((item) => [item.name, resolve(item)]));
  if (values.size < items.length) throw cannotLink(offset, "a name is given twice");
  return values;
}
