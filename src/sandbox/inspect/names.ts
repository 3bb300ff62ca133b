import { WasmhookError } from "../../errors.js";
import { orRaise } from "../binary/over-limit.js";
import { METER_NAMESPACE } from "../meter-contract.js";
import { escaped } from "./escaped.js";

/**
 * What toolchains write: WIT names, `cm32p2|…`, `[resource-drop]…`, mangled symbols, `Class#method`,
 * `name [v2]`.
 * The transpiler quotes names without escaping them, so there is no quote, backslash or line break here;
 * nor `*`, which could end a comment, nor `=`, `<` and `>`, which only names of dependencies have.
 */
const PLAIN = /^[A-Za-z0-9_\-$.:/@#[\]|+ ]*$/;

/** Import names that stand for a file elsewhere: the transpiler's parser panics on them. */
const DEPENDENCY = /^(?:url|integrity|locked-dep|unlocked-dep)=/;

/** Generated code indexes plain objects by name; these mean something on every object, or on a promise. */
const OBJECT_MEMBERS = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "then",
  "toJSON",
]);

/**
 * Checks a name that may end up in generated code: of an import, an export, an argument or a label.
 *
 * @param where where it stands, such as `a core export at byte 1234`
 * @throws WasmhookError `name-refused`
 */
export function checkName(name: string, where: string, limitBytes: number): void {
  const why = whyRefused(name, limitBytes);
  if (why === undefined) return;
  const message = `The name ${escaped(name)} (${where}) ${why}.`;
  throw new WasmhookError("name-refused", message, { name });
}

function whyRefused(name: string, limitBytes: number): string | undefined {
  if (DEPENDENCY.test(name)) {
    return "asks for a dependency from elsewhere, and there are none; link it into the component";
  }
  if (!PLAIN.test(name)) {
    return "has a character that could end up as code; only letters, digits, space and - _ $ . : / @ # [ ] | + may be in a name, so rename it";
  }
  if (name.length > limitBytes) {
    return `is ${name.length} bytes long, over the limit of ${limitBytes}; shorten it${orRaise("nameBytes", limitBytes)}`;
  }
  if (OBJECT_MEMBERS.has(camelCase(name))) {
    return "means something on every JavaScript object; rename it";
  }
  if (name.startsWith(METER_NAMESPACE)) {
    return `starts with ${METER_NAMESPACE}, which is reserved; give the module as it was before it was metered, or rename it`;
  }
  return undefined;
}

/** The transpiler turns `value-of` into `valueOf`. */
function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
