import type { Limits } from "../../../hooks/hook.js";
import type { ProgramOutput } from "../../../hooks/program-output.js";
import { type CoreModule, instantiateCore } from "../../core-instance.js";
import type { Host } from "../../host.js";
import type { CommandPlan } from "./command-plan.js";
import { Descriptors } from "./descriptors.js";
import { SYSTEM_FUNCTIONS, type SystemFunction } from "./functions.js";
import { GuestClock } from "./guest-clock.js";
import { GuestMemory } from "./guest-memory.js";
import { GuestRandom } from "./guest-random.js";
import { FUNCTION_NAMES, PREVIEW1 } from "./signatures.js";
import { Stderr, Stdin, Stdout } from "./standard-streams.js";
import type { System } from "./system.js";
import { SystemError } from "./system-error.js";

/** A command of preview 1 that can be run. */
export interface CommandGuest {
  readonly plan: CommandPlan;
  /** The one that it is. */
  readonly cores: readonly CoreModule[];
}

/**
 * Runs a fresh instance to its end, with the event on stdin and stderr for its log.
 *
 * @throws WasmhookError, or whatever the guest's code ends with, where it does not exit
 */
export function runCommand(
  { plan, cores }: CommandGuest,
  host: Host,
  limits: Limits,
  event: string,
): ProgramOutput {
  const stdin = new TextEncoder().encode(event);
  const stdout = new Stdout(host);
  const stderr = new Stderr(host);
  const system: System = {
    host,
    memory: new GuestMemory(),
    descriptors: new Descriptors(new Stdin(stdin, host), stdout, stderr),
    clock: new GuestClock(host.tank),
    random: new GuestRandom(plan.seed, stdin, host),
  };
  try {
    start(cores, system, limits);
  } catch (error) {
    if (system.exitCode === undefined) throw error;
  } finally {
    stderr.writeLog();
  }
  const { exitCode = 0 } = system;
  return { exitCode, stdout: stdout.text(exitCode === 0), stderr: stderr.text(), program: "module" };
}

function start([core]: readonly CoreModule[], system: System, limits: Limits): void {
  if (core === undefined) throw new RangeError("there is no core module");
  const { exports } = instantiateCore(core, { [PREVIEW1]: imports(system) }, system.host, limits);
  system.memory.attach(exports.memory as WebAssembly.Memory);
  (exports._start as () => void)();
}

function imports(system: System): Record<string, unknown> {
  return Object.fromEntries(FUNCTION_NAMES.map((name) => [name, imported(SYSTEM_FUNCTIONS[name], system)]));
}

/** A function as the guest imports it, which gives an error number. */
function imported(systemFunction: SystemFunction, system: System): (...parameters: never[]) => unknown {
  const call = systemFunction as (system: System, ...parameters: (number | bigint)[]) => void;
  return system.host.guard((...parameters: (number | bigint)[]) => {
    try {
      call(system, ...parameters.map((value) => (typeof value === "number" ? value >>> 0 : value)));
      return 0;
    } catch (error) {
      if (error instanceof SystemError) return error.errno;
      throw error;
    }
  });
}
