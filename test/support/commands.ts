import { ValueTypes } from "#src/sandbox/binary/core-types";
import {
  FUNCTION_NAMES,
  type FunctionName,
  PREVIEW1,
  signatureOf,
} from "#src/sandbox/wasi/preview1/signatures";
import { watBytes } from "./guests.js";

/** Commands of WASI preview 1 as the text of core modules, for `componentFromWat`. */

/** From here on are the texts of a command. */
export const TEXT = 4096;

export interface CommandParts {
  /** The body of `_start`, with `$i`, `$j` and `$n` to use. */
  start: string;
  /** Further fields of the module. */
  fields?: string;
  /** Bytes at `TEXT`. */
  text?: string;
  pages?: number;
}

/** The import of a function under its own name. */
export function imported(name: FunctionName): string {
  const { params, results } = signatureOf(name);
  const text = (types: typeof params) =>
    types.map((type) => (type === ValueTypes.i64 ? "i64" : "i32")).join(" ");
  return `(import "${PREVIEW1}" "${name}" (func $${name} (param ${text(params)}) (result ${text(results)})))`;
}

/**
 * A command that imports what it calls by its name, such as `$fd_read`. It has `$write`, which writes a range of the
 * memory to a descriptor, and uses the first 16 bytes of the memory for that.
 */
export function command({ start, fields = "", text = "", pages = 1 }: CommandParts): string {
  const bytes = new TextEncoder().encode(text);
  const pagesOfText = Math.ceil((TEXT + bytes.length) / 65_536);
  const code = `${start} ${fields} $fd_write`;
  const used = FUNCTION_NAMES.filter((name) => new RegExp(`\\$${name}\\b`).test(code));
  return `(module
    ${used.map(imported).join("\n    ")}
    (memory (export "memory") ${Math.max(pages, pagesOfText)})
    (data (i32.const ${TEXT}) "${watBytes(bytes)}")
    (func $write (param $fd i32) (param $at i32) (param $bytes i32)
      (i32.store (i32.const 0) (local.get $at))
      (i32.store (i32.const 4) (local.get $bytes))
      (drop (call $fd_write (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8))))
    ${fields}
    (func (export "_start") (local $i i32) (local $j i32) (local $n i32)
      ${start}))`;
}

/** What a command says of each event, and how it exits; without an exit code it returns. */
export interface Said {
  stdout?: string;
  stderr?: string;
  exitCode?: number;
}

export function sayingCommand({ stdout = "", stderr = "", exitCode }: Said): string {
  const [out, err] = [stdout, stderr].map((said) => new TextEncoder().encode(said).length) as [
    number,
    number,
  ];
  return command({
    text: stdout + stderr,
    start: `
      (call $write (i32.const 1) (i32.const ${TEXT}) (i32.const ${out}))
      (call $write (i32.const 2) (i32.const ${TEXT + out}) (i32.const ${err}))
      ${exitCode === undefined ? "" : `(call $proc_exit (i32.const ${exitCode})) unreachable`}`,
  });
}

/** Reads all of stdin to `TEXT`, of which it leaves the length in `$n`. */
export const READ_ALL = `
  (local.set $n (i32.const 0))
  (loop $more
    (if (i32.gt_u (i32.add (local.get $n) (i32.const ${TEXT + 65536})) (i32.shl (memory.size) (i32.const 16)))
      (then (if (i32.eq (memory.grow (i32.const 2)) (i32.const -1)) (then (unreachable)))))
    (i32.store (i32.const 0) (i32.add (i32.const ${TEXT}) (local.get $n)))
    (i32.store (i32.const 4) (i32.const 65536))
    (if (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)) (then (unreachable)))
    (local.set $n (i32.add (local.get $n) (i32.load (i32.const 8))))
    (br_if $more (i32.load (i32.const 8))))`;

/** Writes all of stdin to a descriptor. */
export function catCommand(fd: 1 | 2): string {
  return command({
    start: `${READ_ALL} (call $write (i32.const ${fd}) (i32.const ${TEXT}) (local.get $n))`,
  });
}
