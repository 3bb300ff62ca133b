import { type Context, Script } from "node:vm";

/** The globals that the language itself defines, and the three that this program's own worker code uses. */
const KEPT = new Set([
  ...(new Script("Object.getOwnPropertyNames(globalThis)").runInNewContext() as string[]),
  "TextDecoder",
  "TextEncoder",
  "performance",
]);

/**
 * Takes everything from this thread's global object through which a program reaches the machine (`process`,
 * `fetch`, `require` and their like). A second wall: guests get no reference to this realm to begin with.
 */
export function dropAuthority(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name);
  }
}

const freeze = new Script(`{
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value = globalThis[name];
    if (typeof value !== "function") continue;
    if (typeof value.prototype === "object" && value.prototype !== null) Object.freeze(value.prototype);
    Object.freeze(value);
  }
}`);

/** Makes the language's own objects of a realm immutable, so that no run leaves anything in them. */
export function freezeIntrinsics(realm: Context): void {
  freeze.runInContext(realm);
}
