import { readdirSync } from "node:fs";
import { print } from "@bytecodealliance/jco-transpile/wasm-tools";
import { buildHook } from "#src/build/build-hook";
import { program } from "../oracle/programs/program.js";
import { FAILING, ODD } from "../sandbox/link/odd-components.js";
import { callingAll } from "../sandbox/wasi/preview1/specification.js";
import { catCommand, command, sayingCommand } from "../support/commands.js";
import { componentFromWat, hookComponent, utf16HookComponent } from "../support/components.js";
import * as guests from "../support/guests.js";

const EXAMPLES = new URL("../../guest-examples/", import.meta.url);
const PROGRAMS = 40;

/** Real components, to be mutated: the examples, the guests and odd components of the tests, generated programs. */
export async function seeds(): Promise<Uint8Array[]> {
  const examples = readdirSync(EXAMPLES, { withFileTypes: true }).filter(
    // A module with a whole engine in it would take all the time.
    (entry) => entry.isDirectory() && !entry.name.endsWith("-ts"),
  );
  const built = examples.map(async ({ name }) => {
    return (await buildHook(new URL(`${name}/hook.ts`, EXAMPLES).pathname)).bytes;
  });
  const texts = Object.entries(guests).flatMap(([name, value]) => {
    return name.endsWith("Guest") && typeof value === "string" ? [value] : [];
  });
  const odd = Object.values({ ...ODD, ...FAILING }).map((fields) =>
    componentFromWat(`(component ${fields})`),
  );
  const programs = Array.from({ length: PROGRAMS }, async (_, i) => {
    return componentFromWat(await programComponent(i));
  });
  return Promise.all([
    ...built,
    ...texts.map(hookComponent),
    ...texts.map(utf16HookComponent),
    hookComponent(guests.grepGuest("needle", '{"action":"deny"}')),
    componentFromWat(catCommand(1)),
    componentFromWat(command(callingAll())),
    componentFromWat(sayingCommand({ stdout: "{}", stderr: "é", exitCode: 2 })),
    ...odd,
    ...programs,
  ]);
}

/** A hook that calls what a generated program exports, and answers a digit of what that told its host. */
async function programComponent(index: number): Promise<string> {
  const { bytes, functions } = program(index, 1 + (index % 20), index % 2 === 0 ? undefined : "legacy");
  const types = { 127: "i32", 126: "i64", 125: "f32", 124: "f64" } as Record<number, string>;
  const text = (list: readonly number[]) => list.map((type) => types[type] ?? "v128").join(" ");
  const callable = functions.filter(({ type }) =>
    [...type.params, ...type.results].every((one) => one in types),
  );
  const imports = callable.map(({ name, type }) => {
    return `(import "p" "${name}" (func $${name} (param ${text(type.params)}) (result ${text(type.results)})))`;
  });
  const calls = callable.map(({ name, type }) => {
    const args = type.params.map((one) => `(${types[one]}.const 7)`).join(" ");
    return `(call $${name} ${args}) ${"(drop) ".repeat(type.results.length)}`;
  });
  const handler = guests.guest({
    imports: `${imports.join(" ")} (import "log" "told" (func $told (result i32)))`,
    textBytes: 1,
    handle: `${calls.join(" ")}
      (i32.store8 (i32.const 1024) (i32.add (i32.const 97) (i32.rem_u (call $told) (i32.const 26))))
      (call $answer (i32.const 0) (i32.const 1024) (i32.const 1))`,
  });
  return `(component
    (core module $log (global $told (mut i32) (i32.const 0))
      (func (export "log") (param i32) (result i32)
        (global.set $told (i32.add (i32.mul (global.get $told) (i32.const 31)) (local.get 0)))
        (i32.and (local.get 0) (i32.const 7)))
      (func (export "told") (result i32) (global.get $told)))
    (core instance $log (instantiate $log))
    ${(await print(bytes)).replace("(module", "(core module $p")}
    (core instance $p (instantiate $p (with "host" (instance $log))))
    ${handler.replace("(module", "(core module $m")}
    (core instance $main (instantiate $m (with "p" (instance $p)) (with "log" (instance $log))))
    (func $handle (param "event" string) (result (result string (error string)))
      (canon lift (core func $main "wasmhook:hook/handler@1.0.0#handle")
        (memory (core memory $main "memory")) (realloc (core func $main "cabi_realloc"))))
    (instance $h (export "handle" (func $handle))) (export "wasmhook:hook/handler@1.0.0" (instance $h)))`;
}
