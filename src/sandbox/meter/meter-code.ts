import type { Writer } from "../binary/bytes.js";
import type { CoreModule, FunctionBody } from "../binary/core-module.js";
import type { HelperFunctions, MeterIndices } from "./helper-functions.js";

/** What a strategy of metering function bodies works with. */
export interface CodeContext {
  readonly module: CoreModule;
  readonly globals: MeterIndices;
  readonly helpers: HelperFunctions;
  /** Index of one of the guest's globals in the metered module. */
  readonly shiftGlobal: (index: number) => number;
}

/** Writes the metered body of a function that the module defines, without its size. */
export type MeterBody = (body: FunctionBody, parameterCount: number, out: Writer) => void;

/** One way of metering function bodies. All charge the same; they differ in speed. */
export type MeterStrategy = (context: CodeContext) => MeterBody;
