import type { LogLine } from "../../hooks/outcome.js";
import { badValue } from "../failure.js";
import { CONTRACT } from "../inspect/contract.js";
import type { GuestText } from "./guest-text.js";
import type { LinkedInstances } from "./linked-instances.js";
import type { HostFunctionName } from "./plan.js";

const LEVELS = CONTRACT.imports.host.level.labels as readonly LogLine["level"][];

/** A function of the host as the guest's core modules import it. */
export function hostFunction(
  instances: LinkedInstances,
  name: HostFunctionName,
  text: GuestText,
): (...args: number[]) => unknown {
  const { host } = instances;
  if (name === "log") {
    return host.guard((level: number, address: number, length: number) => {
      instances.checkMayLeave();
      const label = LEVELS[level];
      if (label === undefined) throw badValue();
      host.log.add({
        level: label,
        message: text.lift({ address: address >>> 0, length: length >>> 0 }, host),
      });
    });
  }
  return host.guard((returned: number) => {
    instances.checkMayLeave();
    const config = host.config();
    text.at(returned >>> 0, 8, 4);
    const { address, length } = text.lower(config);
    // The allocator may have grown the memory.
    const result = text.at(returned >>> 0, 8, 4);
    result.setUint32(0, address, true);
    result.setUint32(4, length, true);
  });
}
