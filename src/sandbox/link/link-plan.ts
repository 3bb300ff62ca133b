import { DEFAULT_MODULE_LIMITS } from "../../hooks/module-limits.js";
import type { ComponentReadLimits } from "../binary/component-cursor.js";
import { readComponent } from "../binary/component-reader.js";
import { interfaceName } from "../inspect/contract.js";
import { cannotLink } from "./cannot-link.js";
import { handlerPlan } from "./canonical-functions.js";
import { ComponentLinker } from "./component-linker.js";
import type { Value } from "./link-scope.js";
import type { LinkPlan } from "./plan.js";

const HOST: Value = {
  sort: "instance",
  is: new Map<string, Value>([
    ["level", { sort: "type", is: undefined }],
    ["log", { sort: "func", is: { from: "host", name: "log" } }],
    ["config", { sort: "func", is: { from: "host", name: "config" } }],
  ]),
};

/**
 * Carries out a component's definitions without running any of it: what comes out is which core modules are
 * instantiated in which order with what, and which core function is the handler. The types that functions
 * are declared with on their way through components do not matter: those at both ends are held against the
 * contract.
 *
 * @param bytes of a component that `inspect` accepts
 * @throws WasmhookError `module-refused` where its parts do not fit each other, or where one of its
 * components calls another
 */
export function linkPlan(bytes: Uint8Array, limits: Partial<ComponentReadLimits> = {}): LinkPlan {
  const { component } = readComponent(bytes, { ...DEFAULT_MODULE_LIMITS, ...limits });
  const linker = new ComponentLinker(bytes);
  const exports = linker.instantiate(component, undefined, new Map([[interfaceName("host"), HOST]]));
  const handler = exports.get(interfaceName("handler"));
  const handle = handler?.sort === "instance" ? handler.is.get("handle") : undefined;
  if (handle?.sort !== "func") throw cannotLink(component.range.start, "it exports no handle");
  const { modules, steps } = linker.core;
  return {
    modules,
    steps,
    resources: linker.resources,
    handler: handlerPlan(handle.is, component.range.start),
  };
}
