/** The type of `handle` as text of a component. */
export const HANDLE_TYPE = '(param "event" string) (result (result string (error string)))';

interface HandlerText {
  /** The type that `handle` is lifted to. */
  type?: string;
  /** The name that its instance is exported under. */
  name?: string;
  /** Core types of the function and of its parts, where they are not those of `HANDLE_TYPE`. */
  core?: string;
}

/** The fields of a component that export a handler of any type, which traps when it is called. */
export function handlerText({
  type = HANDLE_TYPE,
  name = "wasmhook:hook/handler@1.0.0",
  core = "(param i32 i32) (result i32)",
}: HandlerText = {}): string {
  return `
    (core module $m
      (memory (export "memory") 1)
      (func (export "handle") ${core} unreachable)
      (func (export "realloc") (param i32 i32 i32 i32) (result i32) unreachable))
    (core instance $i (instantiate $m))
    (func $f ${type} (canon lift (core func $i "handle")
      (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
    (instance $h (export "handle" (func $f)))
    (export "${name}" (instance $h))`;
}
