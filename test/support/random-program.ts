/** A generator of numbers that a seed determines. Source: the constants of Numerical Recipes' `ranqd1`. */
class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  below(count: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * count);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

export interface ProgramOptions {
  /** the encoding of handlers; without one there are no exceptions */
  readonly exceptions?: "legacy" | "try_table";
}

const FUNCTIONS = 6;
const MAX_DEPTH = 5;

/**
 * The text of a module whose export `run` ends for each argument, by way of whatever control flow the seed
 * brings: blocks, loops, branches of every kind, calls of every kind, exceptions. Which way it goes hangs on a
 * global that each decision stirs.
 */
export function randomProgram(seed: number, { exceptions }: ProgramOptions = {}): string {
  return new Program(new Random(seed), exceptions).text();
}

class Program {
  private readonly random: Random;
  private readonly exceptions: ProgramOptions["exceptions"];
  /** of each open block: whether nothing may branch to it without more ado */
  private loops: boolean[] = [];
  private function = 0;
  private size = 0;

  constructor(random: Random, exceptions: ProgramOptions["exceptions"]) {
    this.random = random;
    this.exceptions = exceptions;
  }

  text(): string {
    const functions = Array.from({ length: FUNCTIONS }, (_, i) => this.functionText(i));
    return `(module
      (import "host" "call" (func $host (param i32) (result i32)))
      ${this.exceptions ? "(tag $t (param i32))" : ""}
      (type $f (func (param i32) (result i32)))
      (type $v (func))
      (memory 1 3)
      (table ${this.random.below(2) === 0 ? '(export "table")' : ""} ${FUNCTIONS + 1} funcref)
      (elem (i32.const 0) func ${functions.map((_, i) => `$f${i}`).join(" ")} $host)
      (global $state (mut i32) (i32.const 0))
      (global $budget (mut i32) (i32.const 200))
      ${functions.join("\n")}
      (func $stir (result i32)
        (global.set $state (i32.add (i32.mul (global.get $state) (i32.const 1664525)) (i32.const 1013904223)))
        (i32.shr_u (global.get $state) (i32.const 16)))
      (func (export "run") (param i32) (result i32)
        (global.set $state (local.get 0)) (global.set $budget (i32.const 200))
        ${this.handled("(call $f0 (local.get 0))")})
      (func (export "again") (param i32) (result i32) ${this.handled(`(call $f${FUNCTIONS - 1} (local.get 0))`)}))`;
  }

  /** An expression of an i32 that no exception leaves. */
  private handled(expression: string): string {
    if (this.exceptions === "legacy")
      return `try (result i32) ${expression} catch $t catch_all i32.const -1 end`;
    if (this.exceptions === "try_table") {
      return `(block $all (block $t (result i32)
        (return (try_table (result i32) (catch $t $t) (catch_all $all) ${expression}))) (return)) (i32.const -1)`;
    }
    return expression;
  }

  private functionText(index: number): string {
    this.function = index;
    this.loops = [];
    this.size = 0;
    const locals = this.random.pick(["", "(local i32)", "(local i64 i32 f64)"]);
    return `(func $f${index} (type $f) ${locals} ${this.statements(0)} (i32.add ${this.value()} (local.get 0)))`;
  }

  private value(): string {
    return this.random.pick([
      "(i32.const 1)",
      "(local.get 0)",
      "(call $stir)",
      "(i32.load8_u (i32.and (local.get 0) (i32.const 63)))",
    ]);
  }

  /** A condition that is true about every other time. */
  private condition(): string {
    return this.random.pick([
      "(i32.and (call $stir) (i32.const 1))",
      "(i32.and (call $stir) (i32.const 3))",
      "(i32.eqz (i32.and (call $stir) (i32.const 3)))",
      "(i32.and (local.get 0) (i32.const 1))",
    ]);
  }

  /** Whether there may be one more turn; there are no more than the budget has. */
  private mayTurn(): string {
    const spend = "(global.set $budget (i32.sub (global.get $budget) (i32.const 1)))";
    return `(block (result i32) ${spend} (i32.gt_s (global.get $budget) (i32.const 0)))`;
  }

  private statements(depth: number): string {
    const count = 1 + this.random.below(4);
    return Array.from({ length: count }, () => this.statement(depth)).join("\n");
  }

  private nested(isLoop: boolean, depth: number): string {
    this.loops.push(isLoop);
    const text = this.statements(depth + 1);
    this.loops.pop();
    return text;
  }

  private statement(depth: number): string {
    const isSmall = depth < MAX_DEPTH && this.size++ < 60;
    return isSmall ? this.compound(depth) : this.simple();
  }

  private compound(depth: number): string {
    switch (this.random.below(this.exceptions ? 12 : 9)) {
      case 0:
        return `(block ${this.nested(false, depth)})`;
      case 1:
        return `(loop ${this.nested(true, depth)} (br_if 0 (i32.and ${this.condition()} ${this.mayTurn()})))`;
      case 2: {
        // Turns that come by an unconditional branch.
        this.loops.push(false);
        const body = this.nested(true, depth + 1);
        this.loops.pop();
        return `(block (loop (br_if 1 (i32.eqz ${this.mayTurn()})) ${body} (br 0)))`;
      }
      case 3:
        return `(if ${this.condition()} (then ${this.nested(false, depth)}))`;
      case 4:
        return `(if ${this.condition()} (then ${this.nested(false, depth)}) (else ${this.nested(false, depth)}))`;
      case 5:
        return this.branchTable(depth);
      case 6:
      case 7:
      case 8:
        return this.simple();
      default:
        return this.guarded(depth);
    }
  }

  private branchTable(depth: number): string {
    const first = this.nested(false, depth);
    const second = this.statements(depth + 1);
    const labels = [0, 1, ...(this.target() ?? []).map((label) => label + 2)].join(" ");
    return `(block (block (br_table ${labels} 0 (i32.and (call $stir) (i32.const 3)))) ${first}
      ${this.random.below(2) === 0 ? "(br 0)" : ""}) ${second}`;
  }

  private guarded(depth: number): string {
    if (this.exceptions === "legacy") {
      const body = this.nested(false, depth);
      const handler = this.random.pick([
        `catch $t drop ${this.nested(false, depth)}`,
        `catch_all ${this.nested(false, depth)}`,
        `catch $t drop ${this.nested(false, depth)} catch_all ${this.random.pick(["rethrow 0", ""])}`,
      ]);
      return this.random.below(4) === 0 ? `try ${body} delegate 0` : `try ${body} ${handler} end`;
    }
    // The inner label takes a value, so that nothing else may branch to it.
    this.loops.push(false);
    this.loops.push(true);
    const body = this.nested(false, depth + 2);
    this.loops.pop();
    const between = this.random.pick(["(i32.const 7)", "(br 1)", "(local.get 0)"]);
    this.loops.pop();
    return `(block $all${depth} (drop (block $t${depth} (result i32)
      (try_table (catch $t $t${depth}) (catch_all $all${depth}) ${body}) ${between})))`;
  }

  /** A label that may be branched to without a turn of a loop. */
  private target(): number[] | undefined {
    const labels = this.loops
      .map((isLoop, i) => (isLoop ? -1 : this.loops.length - 1 - i))
      .filter((label) => label >= 0);
    return labels.length > 0 ? [this.random.pick(labels)] : undefined;
  }

  private simple(): string {
    const label = this.target();
    const next = this.function + 1 + this.random.below(FUNCTIONS - this.function);
    const call = next < FUNCTIONS ? `(call $f${next} ${this.value()})` : `(call $host ${this.value()})`;
    // A function calls only later ones, and the host.
    const indirect = `(call_indirect (type $f) ${this.value()} (i32.const ${next}))`;
    const choices = [
      `(drop ${this.value()})`,
      "nop",
      `(local.set 0 ${this.value()})`,
      `(drop ${call})`,
      `(drop ${indirect})`,
      `(i32.store8 (i32.and ${this.value()} (i32.const 63)) ${this.value()})`,
      `(memory.fill (i32.const 64) (i32.const 1) (i32.and ${this.value()} (i32.const 31)))`,
      "(drop (memory.grow (i32.const 1)))",
      `(if ${this.condition()} (then (return ${this.value()})))`,
      ...(label ? [`(br_if ${label} ${this.condition()})`, `(br_if ${label} ${this.condition()})`] : []),
      ...(label && this.random.below(3) === 0 ? [`(br ${label})`] : []),
      ...(this.random.below(8) === 0 ? [`(return ${this.value()})`] : []),
      ...(this.random.below(8) === 0 && next < FUNCTIONS
        ? [
            `(return_call $f${next} ${this.value()})`,
            `(return_call_indirect (type $f) ${this.value()} (i32.const ${next}))`,
          ]
        : []),
      ...(this.exceptions ? [`(if ${this.condition()} (then (throw $t ${this.value()})))`] : []),
    ];
    return this.random.pick(choices);
  }
}
