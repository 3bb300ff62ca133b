import { componentFromWat } from "../../support/components.js";
import { handlerText } from "../../support/handler.js";
import { type Bytes, concat, coreModule, functions, leb, repeat, section, sized } from "../bytes.js";
import { Family, many, type Source } from "../hostile.js";

/** A good handler, and more bytes after it. */
const then = (more: () => Bytes): Source => {
  return async () => concat(await componentFromWat(`(component ${handlerText()})`), more());
};
/** A good handler, and a core module after it. */
const core = (module: () => Uint8Array): Source => then(() => section(1, module()));
const text =
  (fields: string): Source =>
  async () =>
    await componentFromWat(`(component ${handlerText()} (core module ${fields}))`);

const NOP_END = [0, 0x0b];
const block = (depth: number) => concat([0], repeat([0x02, 0x40], depth), repeat([0x0b], depth), [0x0b]);
const brTable = (targets: number) => [
  0x41,
  0,
  0x0e,
  ...leb(targets),
  ...new Array<number>(targets + 1).fill(0),
];

const IF = [0x20, 0, 0x04, 0x40, 0x0b];
const LOOP = [0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b];

/** So many functions of so many calls through a table. */
const calling = (count: number, calls: number) =>
  coreModule(
    section(1, [1, 0x60, 0, 0]),
    section(3, leb(count), new Uint8Array(count)),
    section(4, [1, 0x70, 0, 1]),
    section(10, leb(count), repeat(sized([0], repeat([0x41, 0, 0x11, 0, 0], calls), [0x0b]), count)),
  );

/** Small files that would take much to read, to transpile or to compile. */
export const bombs = new Family("bombs").refused("module-refused", {
  "a million empty functions": { guest: core(() => functions(1_000_000, NOP_END)), because: "functions" },
  "ten million bodies of which none was declared": {
    guest: core(() => coreModule(section(10, leb(10_000_000), repeat(sized(NOP_END), 10_000_000)))),
    because: "functions",
  },
  "seven thousand functions of two thousand empty runs of locals": {
    guest: core(() => functions(7_000, concat(leb(2_000), repeat([0, 0x7f], 2_000), [0x0b]))),
    because: "locals",
  },
  "ten million custom sections": { guest: then(() => repeat([0, 1, 0], 10_000_000)), because: "sections" },
  "ten million custom sections in a core module": {
    guest: core(() => coreModule(repeat([0, 1, 0], 10_000_000))),
    because: "sections",
  },
  "ten million empty sections": { guest: then(() => repeat([7, 1, 0], 10_000_000)), because: "sections" },
  "three million empty core modules": {
    guest: then(() => repeat([1, 8, 0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], 3_000_000)),
    because: "sections",
  },
  "three million empty components": {
    guest: then(() => repeat([4, 8, 0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0], 3_000_000)),
    because: "sections|components",
  },
  "fifty thousand locals in one function": {
    guest: core(() => functions(1, [1, ...leb(50_000), 0x7f, 0x0b])),
    because: "functionLocals",
  },
  "fifty thousand locals in each of five thousand functions": {
    guest: core(() => functions(5_000, [1, ...leb(50_000), 0x7f, 0x0b])),
    because: "functionLocals",
  },
  "two thousand locals in each of two thousand functions": {
    guest: core(() => functions(2_000, [1, ...leb(2_000), 0x7e, 0x0b])),
    because: "locals",
  },
  "four thousand million locals in one function": {
    guest: core(() => functions(1, [1, ...leb(4_000_000_000), 0x7f, 0x0b])),
    because: "functionLocals",
  },
  "a function of a megabyte": {
    guest: core(() => functions(1, concat([0], repeat([0x01], 1_000_000), [0x0b]))),
    because: "bodyBytes",
  },
  "eighty thousand blocks in each other": {
    guest: core(() => functions(1, block(80_000))),
    because: "blockDepth",
  },
  "a br_table of 65,520 targets": {
    guest: core(() => functions(1, concat([0], brTable(65_520), [0x0b]))),
    because: "branchTableTargets",
  },
  "a br_table of four thousand million targets": {
    guest: core(() => functions(1, [0, 0x41, 0, 0x0e, ...leb(4_000_000_000), 0x0b])),
    because: "br_table names label",
  },
  "twenty br_tables of two thousand targets in one function": {
    guest: core(() => functions(1, concat([0], repeat(brTable(2_000), 20), [0x0b]))),
    because: "functionBranchTargets",
  },
  "a thousand locals that live across five thousand ifs": {
    guest: core(() => functions(1, concat([1, ...leb(1_000), 0x7f], repeat(IF, 5_000), [0x0b]))),
    because: "functionLocalsTimesBranches",
  },
  "fifty functions of a thousand locals across a thousand branches": {
    guest: core(() => functions(50, concat([1, ...leb(1_000), 0x7f], repeat(IF, 1_000), [0x0b]))),
    because: "localsTimesBranches",
  },
  "twenty thousand ifs in one function": {
    guest: core(() => functions(1, concat([1, 1, 0x7f], repeat(IF, 20_000), [0x0b]))),
    because: "functionBranches",
  },
  "a hundred functions of five thousand ifs": {
    guest: core(() => functions(100, concat([1, 1, 0x7f], repeat(IF, 5_000), [0x0b]))),
    because: "branchesSquared",
  },
  "four thousand loops in one function, which keep an optimiser busy for a minute": {
    guest: core(() => functions(1, concat([1, 1, 0x7f], repeat(LOOP, 4_400), [0x0b]))),
    because: "functionLoops",
  },
  "a hundred functions of five hundred loops": {
    guest: core(() => functions(100, concat([1, 1, 0x7f], repeat(LOOP, 500), [0x0b]))),
    because: "loopsSquared",
  },
  "twenty thousand indirect calls in one function": {
    guest: core(() => calling(1, 20_000)),
    because: "functionHeavyInstructions",
  },
  "three thousand functions of a thousand indirect calls": {
    guest: core(() => calling(3_000, 1_000)),
    because: "heavyInstructions",
  },
  "thirty megabytes of code": {
    guest: core(() => functions(150, concat([0], repeat([0x01], 200_000), [0x0b]))),
    because: "codeBytes",
  },
  "fifty thousand types": {
    guest: core(() => coreModule(section(1, leb(50_000), repeat([0x60, 0, 0], 50_000)))),
    because: "types|typeSectionBytes",
  },
  "types of a thousand parameters each, in many modules": {
    guest: text(`(type (func)) ${many(2_001, "(type (func))")}`),
    because: "types",
  },
  "a type of two hundred thousand parameters": {
    guest: core(() => coreModule(section(1, [1, 0x60], leb(200_000), repeat([0x7f], 200_000), [0]))),
    because: "typeSectionBytes",
  },
  "twenty thousand imports": {
    guest: core(() => coreModule(section(2, leb(20_000), repeat([0, 0, 3, 0x7f, 0], 20_000)))),
    because: "imports",
  },
  "twenty thousand exports": {
    guest: text(`(func $f) ${many(20_000, (i) => `(export "e${i}" (func $f))`)}`),
    because: "exports",
  },
  "a hundred thousand globals": {
    guest: core(() => coreModule(section(6, leb(100_000), repeat([0x7f, 0, 0x41, 0, 0x0b], 100_000)))),
    because: "globals",
  },
  "a hundred thousand tags": {
    guest: core(() =>
      coreModule(section(1, [1, 0x60, 0, 0]), section(13, leb(100_000), repeat([0, 0], 100_000))),
    ),
    because: "tags",
  },
  "a data segment more than a hundred thousand": {
    guest: core(() => coreModule(section(11, leb(100_001), repeat([1, 0], 100_001)))),
    because: "dataSegments",
  },
  "a hundred thousand element segments": {
    guest: core(() => coreModule(section(9, leb(100_000), repeat([1, 0, 0], 100_000)))),
    because: "elementSegments",
  },
  "an element segment of five million functions": {
    guest: core(() =>
      coreModule(
        section(1, [1, 0x60, 0, 0]),
        section(3, [1, 0]),
        section(9, [1, 1, 0], leb(5_000_000), new Uint8Array(5_000_000)),
        section(10, [1, 2, 0, 0x0b]),
      ),
    ),
    because: "elementItems",
  },
});
