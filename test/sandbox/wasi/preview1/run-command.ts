import type { ErrorCode } from "#src/errors";
import type { Limits } from "#src/hooks/hook";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import type { ProgramOutput } from "#src/hooks/program-output";
import { type GuestReport, runGuest } from "#src/sandbox/instance";
import { prepare } from "#src/sandbox/prepare";
import { pagesIn, TABLE_ELEMENTS_LIMIT } from "#src/sandbox/tank";
import { command } from "../../../support/commands.js";
import { componentFromWat } from "../../../support/components.js";

export interface RunOptions {
  event?: string;
  limits?: Partial<Limits>;
}

/** Runs the text of a command, in this thread. */
export async function run(wat: string, { event = "{}", limits = {} }: RunOptions = {}): Promise<GuestReport> {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const caps = { memoryPages: pagesIn(all.memoryBytes), tableElements: TABLE_ELEMENTS_LIMIT };
  const { guest } = prepare({ bytes: await componentFromWat(wat), caps, limits: all.module });
  return runGuest(guest, { event, config: "null", limits: all });
}

export function exitOf({ result }: GuestReport): ProgramOutput {
  if ("failure" in result) throw result.failure;
  if ("ok" in result) throw new Error("the guest is a component");
  return result.exit;
}

export function codeOf({ result }: GuestReport): ErrorCode | "exit" {
  return "failure" in result ? result.failure.code : "exit";
}

/**
 * Has a command evaluate expressions of type `i32`, one after the other, and gives their values.
 *
 * @param fields of the module beside; addresses from 16 to 4095 are free
 */
export async function valuesOf(
  expressions: readonly string[],
  { fields = "", ...options }: RunOptions & { fields?: string } = {},
): Promise<number[]> {
  const stores = expressions.map((text, i) => `(i32.store (i32.const ${8192 + i * 4}) ${text})`);
  // As hexadecimal digits, since what is written is to be text.
  const wat = command({
    fields: `${fields}
      (func $digit (param $value i32) (result i32)
        (i32.add (local.get $value)
          (select (i32.const 87) (i32.const 48) (i32.gt_u (local.get $value) (i32.const 9)))))`,
    start: `${stores.join("\n")}
      (loop $next
        (local.set $j (i32.load8_u offset=8192 (local.get $i)))
        (i32.store8 offset=32768 (i32.shl (local.get $i) (i32.const 1))
          (call $digit (i32.shr_u (local.get $j) (i32.const 4))))
        (i32.store8 offset=32769 (i32.shl (local.get $i) (i32.const 1))
          (call $digit (i32.and (local.get $j) (i32.const 15))))
        (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
          (i32.const ${expressions.length * 4}))))
      (call $write (i32.const 1) (i32.const 32768) (i32.const ${expressions.length * 8}))`,
  });
  const bytes = Buffer.from(exitOf(await run(wat, options)).stdout, "hex");
  return expressions.map((_, i) => bytes.readInt32LE(i * 4));
}
