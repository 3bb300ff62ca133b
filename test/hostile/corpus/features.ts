import { handlerText } from "../../support/handler.js";
import { component, Family } from "../hostile.js";

const core = (fields: string) => component(`${handlerText()} (core module ${fields})`);
const beside = (fields: string) => component(`${handlerText()} ${fields}`);
const REALLOC = '(realloc (core func $i "realloc"))';
const MEMORY = '(memory (core memory $i "memory"))';

/** Features that are not metered and capped. */
export const features = new Family("features").refused("feature-refused", {
  "shared memory": core("(memory 1 1 shared)"),
  "waiting on an atomic for ever": core(
    "(memory 1 1 shared) (func (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (i64.const -1))))",
  ),
  "an atomic load": core("(memory 1) (func (drop (i32.atomic.load (i32.const 0))))"),
  "an atomic fence": core("(func atomic.fence)"),
  "a memory of 64 bits": core("(memory i64 1)"),
  "a memory of 64 bits and 2^48 pages": core("(memory i64 0x1000000000000)"),
  "a table of 64 bits": core("(table i64 1 funcref)"),
  "pages of one byte": core("(memory 1 (pagesize 1))"),
  "a struct": core("(type (struct (field i32)))"),
  "an array, and a million elements of it": core(
    "(type $a (array (mut i64))) (func (drop (array.new $a (i64.const 0) (i32.const 1000000))))",
  ),
  "a recursive group of types": core("(rec (type (func)) (type (func)))"),
  "a small integer as a reference": core("(func (drop (ref.i31 (i32.const 1))))"),
  "a call through a reference": core("(type $f (func)) (func (call_ref $f (ref.null $f)))"),
  "a tail call through a reference": core("(type $f (func)) (func (return_call_ref $f (ref.null $f)))"),
  "a parameter that is a typed reference": core("(type $f (func)) (func (param (ref null $f)))"),
  "a table with an initialiser": core("(func $f) (table 10 (ref func) (ref.func $f))"),
  "a continuation": core("(type $f (func)) (type $c (cont $f))"),
  "relaxed vectors, of which the result is the machine's choice": core(
    "(func (param v128 v128 v128) (drop (f32x4.relaxed_madd (local.get 0) (local.get 1) (local.get 2))))",
  ),
  "a relaxed swizzle": core(
    "(func (param v128 v128) (drop (i8x16.relaxed_swizzle (local.get 0) (local.get 1))))",
  ),
  "a stream": beside("(type (stream u8))"),
  "a future": beside("(type (future string))"),
  "an error context": beside("(type error-context)"),
  "a list of a fixed length of a thousand million": beside("(type (list u8 1000000000))"),
  "a component value": beside('(import "v" (value u8))'),
  "a core module as an import": beside('(import "m" (core module))'),
  "a component as an import": beside('(import "c" (component))'),
  "a lift that is asynchronous": beside(
    `(func (export "f") (canon lift (core func $i "handle") async ${MEMORY} ${REALLOC}))`,
  ),
  "a task that ends itself": beside("(core func (canon task.return))"),
  "a thread": beside("(core type $f (func (param i32))) (core func (canon thread.spawn-ref $f))"),
  "a wait for an event": beside(`(core func (canon waitable-set.wait ${MEMORY}))`),
  "strings in an encoding that the transpiler panics on": beside(
    `(func ${'(param "event" string)'} (canon lift (core func $i "handle") string-encoding=latin1+utf16 ${MEMORY} ${REALLOC}))`,
  ),
});
