import type { CanonOptions } from "../binary/component-definition.js";
import { CONTRACT } from "../inspect/contract.js";
import { sameType } from "../inspect/same-type.js";
import { cannotLink } from "./cannot-link.js";
import { type CoreType, fits, i32s } from "./core-type.js";
import { type CoreItem, type Func, type LinkScope, usable } from "./link-scope.js";
import type { CoreRef, HandlerPlan, HostFunctionName, ResourceOperation, TextOptions } from "./plan.js";

/**
 * The contract's functions as the core layer has them. Text is an address and a length; what is more than
 * one value is returned by address.
 * https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md#flattening
 */
const LOWERED: Readonly<Record<HostFunctionName, CoreType>> = { log: i32s(3, 0), config: i32s(1, 0) };
const HANDLE = i32s(2, 1);
const REALLOC = i32s(4, 1);
const POST_RETURN = i32s(1, 0);

export const DESTRUCTOR = i32s(1, 0);
export const RESOURCE_OPERATIONS: Readonly<Record<ResourceOperation, CoreType>> = {
  new: i32s(1, 1),
  drop: i32s(1, 0),
  rep: i32s(1, 1),
};

/** A function of the host, or a stub, as a core function of the guest. */
export function lowered(func: Func, options: CanonOptions, scope: LinkScope, offset: number): CoreItem {
  if (func.from === "guest") {
    const what =
      "one of its components calls a function of another, and here components do not call each other: make one component of them";
    const { onlyTraps = false } = func.func;
    return { type: { kind: "func" }, refusal: cannotLink(offset, what), onlyTraps };
  }
  if (options.postReturn !== undefined) throw cannotLink(offset, "a lowered function has a post-return");
  const text = textOptions(options, scope, offset, func.name === "config");
  return { ref: { from: "host", func: func.name, text }, type: LOWERED[func.name] };
}

/** What is exported as `handle`, whatever type it was exported with on the way. */
export function handlerPlan(handle: Func, exportOffset: number): HandlerPlan {
  if (handle.from === "host") throw cannotLink(exportOffset, "a function of the host is exported as handle");
  const { func, type, options, scope, offset } = handle;
  if (!sameType(CONTRACT.exports.handler.handle, type)) {
    throw cannotLink(offset, "a function of another type is exported as handle");
  }
  const checked = checkedFunction(func, HANDLE, "handle", offset);
  const postReturn = optionalFunction(options.postReturn, POST_RETURN, "its post-return", scope, offset);
  const text = textOptions(options, scope, offset, true);
  return { func: checked, text, ...(postReturn === undefined ? {} : { postReturn }) };
}

function textOptions(
  { encoding = "utf8", memory, realloc }: CanonOptions,
  scope: LinkScope,
  offset: number,
  takesText: boolean,
): TextOptions {
  if (memory === undefined) throw cannotLink(offset, "a function with text has no memory");
  if (takesText && realloc === undefined)
    throw cannotLink(offset, "a function that takes text has no realloc");
  const allocate = optionalFunction(realloc, REALLOC, "its realloc", scope, offset);
  return {
    encoding,
    memory: usable(scope.get("core memory", memory)).ref,
    ...(allocate === undefined ? {} : { realloc: allocate }),
  };
}

function optionalFunction(
  index: number | undefined,
  type: CoreType,
  what: string,
  scope: LinkScope,
  offset: number,
): CoreRef | undefined {
  return index === undefined ? undefined : checkedFunction(scope.get("core func", index), type, what, offset);
}

export function checkedFunction(item: CoreItem, type: CoreType, what: string, offset: number): CoreRef {
  const { ref, type: given } = usable(item);
  if (!fits(type, given)) throw cannotLink(offset, `the core function of ${what} has another type`);
  return ref;
}
