import { WasmhookError } from "../errors.js";
import type { Limits } from "../hooks/hook.js";
import { TABLE_ELEMENTS_LIMIT, type Tank } from "./tank.js";
import { trapKind } from "./traps.js";

const STACK_EXHAUSTED = /call stack|recursion|stack overflow/i;
const ENGINE_OUT_OF_MEMORY = /out of memory|allocat/i;

/** What a run failed of, told from what it threw. An empty tank comes first, whatever was thrown. */
export function failureOf(thrown: unknown, tank: Tank, limits: Limits): WasmhookError {
  if (tank.exhausted) return outOfFuel(limits);
  if (tank.stackExhausted) return stackExhausted();
  if (thrown instanceof WasmhookError) return thrown;
  // An exception that a guest threw and did not catch; it is no `Error`, and its own names are not to be trusted.
  if (!isError(thrown)) return trapped("uncaught exception");
  if (STACK_EXHAUSTED.test(thrown.message) && thrown.name !== "Error") return stackExhausted();
  if (thrown instanceof WebAssembly.RuntimeError) {
    // Toolchains trap, in one way or another, where an allocation fails.
    return tank.growthRefused ? outOfMemory(limits) : trapped(trapKind(thrown.message));
  }
  if (thrown instanceof WebAssembly.LinkError) return unlinkable(thrown.message);
  if (ENGINE_OUT_OF_MEMORY.test(thrown.message) && thrown.name === "RangeError") return outOfMemory(limits);
  if ("payload" in thrown && typeof thrown.payload === "string") return guestError(thrown.payload);
  return badValue();
}

/** Errors of the glue's own realm are no instances of this realm's `Error`. */
function isError(thrown: unknown): thrown is Error {
  return Object.prototype.toString.call(thrown) === "[object Error]";
}

function outOfFuel({ fuel }: Limits): WasmhookError<"out-of-fuel"> {
  const message = `the hook used up its ${fuel} units of fuel: do less, or raise its "fuel" limit`;
  return new WasmhookError("out-of-fuel", message, { fuelLimit: fuel });
}

export function outOfMemory({ memoryBytes }: Limits): WasmhookError<"out-of-memory"> {
  const message = `the hook needs more than the ${memoryBytes} bytes of its "memory" limit: use less, or raise the limit`;
  return new WasmhookError("out-of-memory", message, { memoryBytes });
}

function stackExhausted(): WasmhookError<"stack-exhausted"> {
  return new WasmhookError("stack-exhausted", "the hook's calls are nested too deep: recurse less", {});
}

function trapped(kind: string): WasmhookError<"trap"> {
  return new WasmhookError("trap", `the hook trapped (${kind}): report it to whoever made the hook`, {
    trap: kind,
  });
}

export function guestError(guestMessage: string): WasmhookError<"guest-error"> {
  return new WasmhookError("guest-error", `the hook says: ${guestMessage}`, { guestMessage });
}

/** The guest called out of its `cabi_realloc` or post-return. The words are those of other engines. */
export function cannotLeave(): WasmhookError<"trap"> {
  return trapped("cannot leave component instance");
}

/** The guest called what its toolchain put in place of something that a hook does not get. */
export function calledStub(): WasmhookError<"trap"> {
  const message =
    "the hook called what its toolchain left empty, such as a clock, a file or random numbers: do without, a hook has none";
  return new WasmhookError("trap", message, { trap: "unreachable" });
}

/** What the guest gave was refused: a pointer outside of its memory, an unknown case. */
export function badValue(): WasmhookError<"bad-output"> {
  const message =
    "the hook gave a value that its interface has not (a pointer outside of its memory, or an unknown case): report it to whoever made the hook";
  return new WasmhookError("bad-output", message, {});
}

function unlinkable(cause: string): WasmhookError<"module-refused"> {
  return new WasmhookError(
    "module-refused",
    `the module cannot be linked (${cause}): build it again with a current toolchain`,
    {},
  );
}

export function tooManyElements(): WasmhookError<"module-refused"> {
  const message = `the module's tables have more than ${TABLE_ELEMENTS_LIMIT} elements: build a smaller one`;
  return new WasmhookError("module-refused", message, { limit: "table elements" });
}
