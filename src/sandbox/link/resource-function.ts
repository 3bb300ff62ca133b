import type { LinkedInstances } from "./linked-instances.js";
import type { CoreRef } from "./plan.js";

/**
 * A canonical function for a resource that the guest keeps for itself.
 * https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md#canon-resourcenew
 */
export function resourceFunction(
  instances: LinkedInstances,
  { operation, resource, holder }: CoreRef & { from: "resource" },
): (...args: number[]) => unknown {
  const { host, plan } = instances;
  const handles = instances.handles(holder);
  switch (operation) {
    case "new":
      return host.guard((rep: number) => {
        instances.checkMayLeave();
        return handles.add({ resource, rep });
      });
    case "rep":
      return host.guard((handle: number) => handles.rep(handle, resource));
    case "drop": {
      const dtor = plan.resources[resource]?.dtor;
      return host.guard((handle: number) => {
        instances.checkMayLeave();
        const rep = handles.remove(handle, resource);
        if (dtor !== undefined) instances.func(dtor)(rep);
      });
    }
  }
}
