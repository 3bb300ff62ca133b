import { DEFAULT_MODULE_LIMITS } from "../hooks/module-limits.js";
import { readComponent } from "../sandbox/binary/component-reader.js";
import { splice } from "./splice.js";

/** An export section with nothing in it. */
const NO_EXPORTS = Uint8Array.of(0);

/**
 * A component without the function `init` that the componentizer of JavaScript called once and leaves among its
 * exports, in a section of its own.
 */
export function withoutInit(bytes: Uint8Array): Uint8Array {
  const { component } = readComponent(bytes, DEFAULT_MODULE_LIMITS);
  const isIn = (offset: number) => (section: { contents: { start: number; end: number } }) =>
    offset >= section.contents.start && offset < section.contents.end;
  const init = component.body.find((one) => one.kind === "export" && one.name === "init");
  const section = init && component.sections.find(isIn(init.offset));
  if (section === undefined) return bytes;
  const others = component.body.filter(({ offset }) => isIn(offset)(section));
  return others.length > 1 ? bytes : splice(bytes, [{ range: section.contents, bytes: NO_EXPORTS }]);
}
