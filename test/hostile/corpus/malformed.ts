import { componentFromWat, hookComponent, hookWit } from "../../support/components.js";
import { echoGuest } from "../../support/guests.js";
import { handlerText } from "../../support/handler.js";
import { type Bytes, componentOf, concat, coreModule, MAGIC, section } from "../bytes.js";
import { Family, type Source } from "../hostile.js";

const raw = (bytes: Bytes | string) => async () =>
  typeof bytes === "string" ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes);

/** A good hook, and what becomes of it. */
const damaged = (damage: (bytes: Uint8Array) => Uint8Array): Source => {
  return async () => damage(await hookComponent(echoGuest));
};
/** A good handler, and after it these bytes as a core module. */
const withCoreBytes = (bytes: Bytes): Source => {
  return async () => concat(await componentFromWat(`(component ${handlerText()})`), section(1, bytes));
};
const withCore = (...sections: Bytes[]) => withCoreBytes(coreModule(...sections));
const TYPE = section(1, [1, 0x60, 0, 0]);
const FUNC = section(3, [1, 0]);
const CODE = section(10, [1, 2, 0, 0x0b]);
const body = (...code: number[]) => section(10, [1, code.length + 1, 0, ...code]);

/** Bytes that are no component, or end too early, or lie about their lengths. */
export const malformed = new Family("malformed")
  .refused("wasm-truncated", {
    "a file without a byte": raw([]),
    "a file of one byte": raw([0x00]),
    "a file that ends after the magic": raw(MAGIC),
    "a file that ends in the middle": damaged((bytes) => bytes.subarray(0, bytes.length >> 1)),
    "a file that lacks its last byte": damaged((bytes) => bytes.subarray(0, bytes.length - 1)),
    "a section that is said to be of 4 GiB": raw(componentOf([1, 0xff, 0xff, 0xff, 0xff, 0x0f])),
    "a byte after the end": damaged((bytes) => concat(bytes, [0])),
  })
  .refused("core-module", {
    "a core module": raw(coreModule(TYPE, FUNC, CODE)),
    "a core module that ends after its header": raw(coreModule()),
  })
  .refused("module-refused", {
    "a gzip file": raw([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
    "a zip file": raw([0x50, 0x4b, 3, 4]),
    "a native program": raw([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
    "a script": raw("#!/bin/sh\nrm -rf ~\n"),
    "a component as text": raw(`(component ${handlerText()})`),
    "the interface itself": raw(hookWit),
    "thirty megabytes of zeros": async () => new Uint8Array(30_000_000),
    "a file of forty megabytes": {
      guest: damaged((bytes) => concat(bytes, section(0, [1, 0x61], new Uint8Array(40_000_000)))),
      because: "33554432",
    },
    "a version that there is not": raw([...MAGIC, 0x0d, 0, 2, 0]),
    "a core module that says it is of version 2": withCoreBytes([...MAGIC, 2, 0, 0, 0]),
    "a length that takes six bytes": raw(componentOf([1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00])),
    "a length of more than 32 bits": raw(componentOf([1, 0xff, 0xff, 0xff, 0xff, 0x7f])),
    "two type sections": withCore(TYPE, TYPE),
    "a code section before the functions": withCore(TYPE, CODE, FUNC),
    "bytes that a section has left over": withCore(section(1, [1, 0x60, 0, 0, 0])),
    "a section that is shorter than its items": withCore(section(1, [2, 0x60, 0, 0])),
    "a function without a body": withCore(TYPE, FUNC),
    "a body without a function": withCore(CODE),
    "a body that ends without its end": withCore(TYPE, FUNC, body(0x01)),
    "a body that goes on after its end": withCore(TYPE, FUNC, body(0x0b, 0x0b)),
    "a block that is never closed": withCore(TYPE, FUNC, body(0x02, 0x40, 0x0b)),
    "an else without an if": withCore(TYPE, FUNC, body(0x05, 0x0b)),
    "a body that is said to be larger than its section": withCore(TYPE, FUNC, section(10, [1, 100, 0, 0x0b])),
    "four thousand million locals, twice": withCore(
      TYPE,
      FUNC,
      section(10, [1, 14, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f, 0x0b]),
    ),
    "a type that no other module has": withCore(section(1, [1, 0x60, 1, 0x01, 0])),
    "a name that is not UTF-8": withCore(TYPE, section(2, [1, 1, 0xff, 1, 0x61, 0, 0])),
    "a segment that is said to be of 4 GiB": withCore(
      section(5, [1, 0, 1]),
      section(11, [1, 0, 0x41, 0, 0x0b, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    ),
    "a count of segments that lies": withCore(section(5, [1, 0, 1]), section(12, [9]), section(11, [0])),
    "an initialiser that calls": withCore(TYPE, FUNC, section(6, [1, 0x7f, 0, 0x10, 0, 0x0b]), CODE),
    "a branch to a block that is not there": withCore(TYPE, FUNC, body(0x0c, 9, 0x0b)),
    "an alignment of 2^200": withCore(
      TYPE,
      FUNC,
      section(5, [1, 0, 1]),
      body(0x41, 0, 0x28, 0xc8, 0x01, 0, 0x1a, 0x0b),
    ),
  })
  .refused("feature-refused", {
    "a section that nobody knows": raw(componentOf([99, 0])),
    "a section of a core module that nobody knows": withCore(section(99)),
    "an instruction that nobody knows": withCore(TYPE, FUNC, body(0xff, 0x0b)),
  })
  .unloadable("module-refused", {
    "an addition of nothing": withCore(TYPE, FUNC, body(0x6a, 0x1a, 0x0b)),
    "a function that leaves a value that it has not promised": withCore(TYPE, FUNC, body(0x41, 0, 0x0b)),
    "an export of the same name twice": withCore(
      TYPE,
      FUNC,
      section(7, [2, 1, 0x61, 0, 0, 1, 0x61, 0, 0]),
      CODE,
    ),
  });
