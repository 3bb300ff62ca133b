import type { HookEvent } from "./event.js";
import type { Hook } from "./hook.js";

/** Whether a hook is for an event: its moment, the success or failure of the call, and its matcher. */
export function selects(hook: Hook, event: HookEvent): boolean {
  if (hook.moment !== event.event) return false;
  if (hook.when !== undefined && hook.when !== (event.tool?.error === undefined ? "success" : "failure"))
    return false;
  return hook.matcher.matches(event.tool?.name);
}
