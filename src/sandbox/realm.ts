import { type Context, Script } from "node:vm";

/** The globals that the language itself defines, and the two that this program's own worker code uses. */
const KEPT = new Set([
  ...(new Script("Object.getOwnPropertyNames(globalThis)").runInNewContext() as string[]),
  "TextDecoder",
  "TextEncoder",
]);

/**
 * Takes everything from this thread's global object through which a program reaches the machine (`process`,
 * `fetch`, `Buffer` and their like). A second wall: guests get no reference to this realm to begin with.
 */
export function dropAuthority(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name);
  }
}

const freeze = new Script(`{
  const seen = new Set([globalThis]);
  // Those that no global leads to: they are reached from syntax alone.
  const syntax = [function* () {}, async () => {}, async function* () {}, [][Symbol.iterator]()];
  const pending = [...Object.getOwnPropertyNames(globalThis).map((name) => globalThis[name]), ...syntax];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Object(value) !== value || seen.has(value)) continue;
    seen.add(value);
    Object.freeze(value);
    pending.push(Object.getPrototypeOf(value));
    for (const { value: held, get, set } of Object.values(Object.getOwnPropertyDescriptors(value))) {
      pending.push(held, get, set);
    }
  }
}`);

/** Makes the language's own objects of a realm immutable, so that no run leaves anything in them. */
export function freezeIntrinsics(realm: Context): void {
  freeze.runInContext(realm);
}
