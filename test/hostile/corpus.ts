import { allocator } from "./corpus/allocator.js";
import { bombs } from "./corpus/bombs.js";
import { bulkMemory } from "./corpus/bulk-memory.js";
import { calls } from "./corpus/calls.js";
import { components } from "./corpus/components.js";
import { contract } from "./corpus/contract.js";
import { counter } from "./corpus/counter.js";
import { exceptions } from "./corpus/exceptions.js";
import { features } from "./corpus/features.js";
import { hostCalls } from "./corpus/host-calls.js";
import { largest } from "./corpus/largest.js";
import { loops } from "./corpus/loops.js";
import { malformed } from "./corpus/malformed.js";
import { memory } from "./corpus/memory.js";
import { names } from "./corpus/names.js";
import { numbers } from "./corpus/numbers.js";
import { olderExceptions } from "./corpus/older-exceptions.js";
import { output } from "./corpus/output.js";
import { pointers } from "./corpus/pointers.js";
import { postReturn } from "./corpus/post-return.js";
import { slow } from "./corpus/slow.js";
import { start } from "./corpus/start.js";
import { state } from "./corpus/state.js";
import { tables } from "./corpus/tables.js";
import { text } from "./corpus/text.js";
import { wasiCommands } from "./corpus/wasi-commands.js";
import type { Family, Hostile } from "./hostile.js";

export const families: readonly Family[] = [
  malformed,
  bombs,
  names,
  features,
  contract,
  counter,
  components,
  start,
  loops,
  calls,
  exceptions,
  olderExceptions,
  bulkMemory,
  memory,
  tables,
  numbers,
  slow,
  allocator,
  postReturn,
  pointers,
  text,
  output,
  hostCalls,
  state,
  wasiCommands,
  largest,
];

/** Every hostile guest. */
export const corpus: readonly Hostile[] = families.flatMap(({ guests }) => guests);
