import { type FunctionType, ValueTypes } from "#src/sandbox/binary/core-types";
import { type Costs, publishedCosts } from "./costs.js";
import type { Instruction } from "./decode.js";
import type { Allowance, Func, Instance, Tag } from "./store.js";
import { isTableOrBulk, tableOrBulk } from "./table-and-bulk.js";
import { valueOrVariable } from "./value-and-variable.js";
import { OutOfFuel, Thrown, Trap, Unsupported, type Value, zero } from "./values.js";

/** How a sequence of instructions was left: a number from 0 is the label that it branched to. */
const NEXT = -1;
const RETURN = -2;
const TAIL_CALL = -3;

/** An exception on its way from a `delegate` to the label that it names, `depth` frames further out. */
class Delegated {
  readonly thrown: Thrown;
  depth: number;

  constructor(thrown: Thrown, depth: number) {
    this.thrown = thrown;
    this.depth = depth;
  }
}

export interface Call {
  readonly instance: Instance;
  readonly type: FunctionType;
  readonly locals: Value[];
  /** of each open label: what its handler has caught */
  readonly caught: (Thrown | undefined)[];
  next?: { readonly func: Func; readonly args: Value[] };
}

/**
 * Executes valid modules one instruction after another as the specification reads, and adds up what each
 * costs: https://webassembly.github.io/spec/core/exec/index.html
 */
export class Interpreter {
  readonly costs: Costs;
  readonly allowance: Allowance;
  /** of all that was executed so far, and what it may come to: `OutOfFuel` beyond it */
  spent = 0;
  limit = Number.MAX_SAFE_INTEGER;
  readonly stack: Value[] = [];

  constructor(allowance: Allowance, costs: Costs = publishedCosts) {
    this.allowance = allowance;
    this.costs = costs;
  }

  /** @throws Trap, OutOfFuel, Unsupported, Thrown, or a RangeError where calls are nested too deep for this one */
  call(func: Func, args: readonly Value[]): Value[] {
    const height = this.stack.length;
    try {
      return this.invoke(func, args);
    } finally {
      this.stack.length = height;
    }
  }

  spend(cost: number): void {
    this.spent += cost;
    if (this.spent > this.limit) throw new OutOfFuel();
  }

  pop(): Value {
    return this.stack.pop() as Value;
  }

  popMany(count: number): Value[] {
    return this.stack.splice(this.stack.length - count, count);
  }

  private invoke(first: Func, firstArgs: readonly Value[]): Value[] {
    let func = first;
    let args = firstArgs;
    for (;;) {
      if (func.host) return func.host(args);
      const { defined, type } = func;
      if (!defined) throw new TypeError("a function has to be defined somewhere");
      const { functionEntry, unwinding, localsPerUnit } = this.costs;
      this.spend(functionEntry + (defined.instance.tags.length > 0 ? unwinding : 0));
      const slots = defined.locals.reduce((sum, type) => sum + (type === ValueTypes.v128 ? 2 : 1), 0);
      this.spend(Math.floor(slots / localsPerUnit));
      const locals = [...args, ...defined.locals.map(zero)];
      const call: Call = { instance: defined.instance, type, locals, caught: [undefined] };
      const height = this.stack.length;
      const left = this.asTarget(() => this.run(call, defined.code()));
      if (left !== TAIL_CALL || !call.next) {
        const results = this.popMany(type.results.length);
        this.stack.length = height;
        return results;
      }
      this.stack.length = height;
      ({ func, args } = call.next);
    }
  }

  /** Evaluates a constant expression, which costs nothing. */
  evaluate(instance: Instance, code: readonly Instruction[]): Value {
    const type = { params: [], results: [] };
    const { spent, limit } = this;
    this.limit = Number.MAX_SAFE_INTEGER;
    this.run({ instance, type, locals: [], caught: [] }, code);
    this.spent = spent;
    this.limit = limit;
    return this.pop();
  }

  private run(call: Call, code: readonly Instruction[]): number {
    for (const instruction of code) {
      this.spend(this.costs.instruction(instruction.opcode));
      const left = this.step(call, instruction);
      if (left !== NEXT) return left;
    }
    return NEXT;
  }

  private step(call: Call, instruction: Instruction): number {
    const { name, first } = instruction;
    const { instance } = call;
    switch (name) {
      case "unreachable":
        throw new Trap("unreachable");
      case "block":
        return this.block(call, instruction, instruction.body);
      case "loop":
        return this.loop(call, instruction);
      case "if": {
        const isTrue = this.pop() !== 0;
        return this.block(call, instruction, isTrue ? instruction.body : instruction.otherwise);
      }
      case "try":
        return this.try(call, instruction);
      case "try_table":
        return this.tryTable(call, instruction);
      case "br":
        return first;
      case "br_if":
        return this.pop() !== 0 ? first : NEXT;
      case "br_table":
        return instruction.labels[(this.pop() as number) >>> 0] ?? first;
      case "return":
        return RETURN;
      case "call":
        return this.enter(instance.functions[first] as Func);
      case "call_indirect":
        return this.enter(this.element(instance, instruction));
      case "return_call":
        return this.leaveFor(call, instance.functions[first] as Func);
      case "return_call_indirect":
        return this.leaveFor(call, this.element(instance, instruction));
      case "throw": {
        const tag = instance.tags[first] as Tag;
        throw new Thrown(tag, this.popMany(tag.type.params.length));
      }
      case "throw_ref": {
        const thrown = this.pop();
        if (thrown === null) throw new Trap("null exception");
        throw thrown;
      }
      case "rethrow":
        throw call.caught[call.caught.length - 1 - first];
    }
    if (isTableOrBulk(name)) tableOrBulk(this, instance, instruction);
    else if (!valueOrVariable(this, call, instruction)) throw new Unsupported(name);
    return NEXT;
  }

  private enter(func: Func): number {
    this.stack.push(...this.invoke(func, this.popMany(func.type.params.length)));
    return NEXT;
  }

  private leaveFor(call: Call, func: Func): number {
    call.next = { func, args: this.popMany(func.type.params.length) };
    return TAIL_CALL;
  }

  private element(instance: Instance, { first, second }: Instruction): Func {
    const index = (this.pop() as number) >>> 0;
    const elements = instance.tables[second]?.elements ?? [];
    if (index >= elements.length) throw new Trap("table out of bounds");
    const found = elements[index] as Func | null;
    if (found === null) throw new Trap("null function");
    const expected = instance.types[first];
    const isSame =
      `${found.type.params}` === `${expected?.params}` && `${found.type.results}` === `${expected?.results}`;
    if (!isSame) throw new Trap("signature mismatch");
    return found;
  }

  /** Runs code inside of one more label, that an exception may be delegated to. */
  private inside(call: Call, caught: Thrown | undefined, code: readonly Instruction[]): number {
    const open = call.caught.length;
    call.caught.push(caught);
    try {
      return this.asTarget(() => this.run(call, code));
    } finally {
      call.caught.length = open;
    }
  }

  private asTarget(work: () => number): number {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Delegated)) throw error;
      if (error.depth === 0) throw error.thrown;
      error.depth--;
      throw error;
    }
  }

  /** What follows a frame that was left: a branch to its label puts `arity` values where it began. */
  private after(left: number, height: number, arity: number): number {
    if (left > 0) return left - 1;
    if (left < 0) return left;
    const values = this.popMany(arity);
    this.stack.length = height;
    this.stack.push(...values);
    return NEXT;
  }

  private block(call: Call, { type }: Instruction, code: readonly Instruction[]): number {
    const height = this.stack.length - type.params.length;
    return this.after(this.inside(call, undefined, code), height, type.results.length);
  }

  private loop(call: Call, { type, body }: Instruction): number {
    const height = this.stack.length - type.params.length;
    for (;;) {
      const left = this.inside(call, undefined, body);
      if (left !== 0) return this.after(left, height, 0);
      this.after(left, height, type.params.length);
    }
  }

  private try(call: Call, { type, body, handlers, delegate }: Instruction): number {
    const height = this.stack.length - type.params.length;
    let left: number;
    try {
      left = this.inside(call, undefined, body);
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      if (delegate !== undefined) throw new Delegated(error, delegate);
      const { tags } = call.instance;
      const handler = handlers.find(({ tag }) => tag === undefined || tags[tag] === error.tag);
      if (!handler) throw error;
      this.stack.length = height;
      if (handler.tag !== undefined) this.stack.push(...error.values);
      left = this.inside(call, error, handler.body);
    }
    return this.after(left, height, type.results.length);
  }

  private tryTable(call: Call, { type, body, clauses }: Instruction): number {
    const height = this.stack.length - type.params.length;
    try {
      return this.after(this.inside(call, undefined, body), height, type.results.length);
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      const { tags } = call.instance;
      const clause = clauses.find(({ kind, tag }) => kind.startsWith("catch_all") || tags[tag] === error.tag);
      if (!clause) throw error;
      this.stack.length = height;
      if (!clause.kind.startsWith("catch_all")) this.stack.push(...error.values);
      if (clause.kind.endsWith("_ref")) this.stack.push(error);
      return clause.label;
    }
  }
}
