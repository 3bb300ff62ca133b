/** Guests of the `hook` world as the text of core modules, for `hookComponent`. */

/** Where every guest keeps its answer: discriminant, pointer, length. */
const ANSWER = 16;
const TEXT = 1024;

export interface GuestParts {
  /** The body of `handle`: the event's UTF-8 is `$ptr`, `$len`; leaves the address of the answer. */
  handle: string;
  /** The body of `cabi_realloc`, of which the parameters are `$old`, `$oldLen`, `$align`, `$len`. */
  realloc?: string;
  imports?: string;
  /** Further fields of the module: functions, data, globals. */
  fields?: string;
  /** How many bytes of text stand in the memory from address 1024 on. */
  textBytes?: number;
}

/** The body of an allocator that takes memory from `$top` on, and grows it as needed. */
export const BUMP = `
      (local.set $old (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $old) (local.get $len)))
      (if (i32.gt_u (global.get $top) (i32.shl (memory.size) (i32.const 16)))
        (then
          (if (i32.eq (i32.const -1)
                (memory.grow
                  (i32.sub (i32.shr_u (i32.add (global.get $top) (i32.const 65535)) (i32.const 16)) (memory.size))))
            (then (unreachable)))))
      (local.get $old)`;

/** A guest with a small memory that grows as its bump allocator needs it. */
export function guest({
  handle,
  realloc = BUMP,
  imports = "",
  fields = "",
  textBytes = 0,
}: GuestParts): string {
  const heap = TEXT + textBytes;
  return `(module
    ${imports}
    (memory (export "memory") ${Math.ceil(heap / 65536)})
    (global $top (mut i32) (i32.const ${heap}))
    (func $realloc (export "cabi_realloc") (param $old i32) (param $oldLen i32) (param $align i32) (param $len i32) (result i32)
      ${realloc})
    (func $answer (param $case i32) (param $ptr i32) (param $len i32) (result i32)
      (i32.store (i32.const ${ANSWER}) (local.get $case))
      (i32.store offset=4 (i32.const ${ANSWER}) (local.get $ptr))
      (i32.store offset=8 (i32.const ${ANSWER}) (local.get $len))
      (i32.const ${ANSWER}))
    ${fields}
    (func (export "wasmhook:hook/handler@1.0.0#handle") (param $ptr i32) (param $len i32) (result i32)
      ${handle}))`;
}

const HOST = '"wasmhook:hook/host@1.0.0"';
const UNREACHED = "(call $answer (i32.const 0) (i32.const 0) (i32.const 0))";

/** Answers the event back, byte for byte. */
export const echoGuest = guest({ handle: "(call $answer (i32.const 0) (local.get $ptr) (local.get $len))" });

/** Answers this text, whatever the event. */
export function constGuest(json: string): string {
  return fixedAnswer(0, json);
}

/** Returns the error case with this message. */
export function errGuest(message: string): string {
  return fixedAnswer(1, message);
}

function fixedAnswer(discriminant: 0 | 1, text: string): string {
  const bytes = new TextEncoder().encode(text);
  return guest({
    fields: `(data (i32.const ${TEXT}) "${watBytes(bytes)}")`,
    textBytes: bytes.length,
    handle: `(call $answer (i32.const ${discriminant}) (i32.const ${TEXT}) (i32.const ${bytes.length}))`,
  });
}

/** Traps at once. */
export const trapGuest = guest({ handle: "unreachable" });

/** Loops for ever. */
export const loopGuest = guest({ handle: `(loop $again (br $again)) ${UNREACHED}` });

/** Grows its memory by a page for ever, and traps where that is refused, as a toolchain's allocator does. */
export const growGuest = guest({
  handle: `(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable`,
});

/** Calls itself for ever. */
export const recurseGuest = guest({
  fields: "(func $deeper (param i32) (result i32) (i32.add (call $deeper (local.get 0)) (i32.const 1)))",
  handle: `(drop (call $deeper (i32.const 0))) ${UNREACHED}`,
});

/** Logs the event at level `info`, and has no opinion. */
export const logGuest = guest({
  imports: `(import ${HOST} "log" (func $log (param i32 i32 i32)))`,
  handle: `(call $log (i32.const 1) (local.get $ptr) (local.get $len))
    (call $answer (i32.const 0) (i32.const 0) (i32.const 0))`,
});

/** Answers the text of its `config:` block. */
export const configGuest = guest({
  imports: `(import ${HOST} "config" (func $config (param i32)))`,
  handle: `(call $config (i32.const 32))
    (call $answer (i32.const 0) (i32.load (i32.const 32)) (i32.load (i32.const 36)))`,
});

/** Bytes as the inside of a string of the text format. */
export function watBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Answers `json` where the event's text holds `needle`, and has no opinion elsewhere. */
export function grepGuest(needle: string, json: string): string {
  const [wanted, said] = [needle, json].map((text) => new TextEncoder().encode(text)) as [
    Uint8Array,
    Uint8Array,
  ];
  return guest({
    fields: `(data (i32.const ${TEXT}) "${watBytes(wanted)}${watBytes(said)}")
    (func $found (param $ptr i32) (param $len i32) (result i32)
      (local $last i32) (local $i i32)
      (if (i32.lt_u (local.get $len) (i32.const ${wanted.length})) (then (return (i32.const 0))))
      (local.set $last (i32.add (local.get $ptr) (i32.sub (local.get $len) (i32.const ${wanted.length}))))
      (loop $next
        (local.set $i (i32.const 0))
        (block $differs
          (loop $same
            (br_if $differs (i32.ne
              (i32.load8_u (i32.add (local.get $ptr) (local.get $i)))
              (i32.load8_u offset=${TEXT} (local.get $i))))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $same (i32.lt_u (local.get $i) (i32.const ${wanted.length}))))
          (return (i32.const 1)))
        (local.set $ptr (i32.add (local.get $ptr) (i32.const 1)))
        (br_if $next (i32.le_u (local.get $ptr) (local.get $last))))
      (i32.const 0))`,
    textBytes: wanted.length + said.length,
    handle: `(if (result i32) (call $found (local.get $ptr) (local.get $len))
      (then (call $answer (i32.const 0) (i32.const ${TEXT + wanted.length}) (i32.const ${said.length})))
      (else ${UNREACHED}))`,
  });
}
