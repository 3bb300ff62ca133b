import { raise } from "./exception.js";
import { condition, stir } from "./expression.js";
import { FIRST_FUNCTION, type Scope } from "./scope.js";
import { consume, ifTurnsAreLeft, onCondition, push, statements } from "./statement.js";

export function branchIf(scope: Scope): void {
  const { code, random } = scope;
  const { targets } = scope;
  if (targets.length === 0) return;
  const label = random.pick(targets);
  const { types, isLoop } = scope.label(label);
  if (isLoop) {
    onCondition(scope, () => leave(scope));
    return;
  }
  push(scope, types);
  condition(scope);
  code.op("br_if", label);
  consume(scope, types);
}

/** Behind a block of its own, so that what follows is not dead. */
export function branchTable(scope: Scope): void {
  const { code, random } = scope;
  const open = (rest: number): void => {
    code.op("block", 0x40);
    scope.inside([], () => (rest > 0 ? open(rest - 1) : jump(scope)));
    code.op("end");
    statements(scope, 2);
  };
  open(random.below(3));
}

function jump(scope: Scope): void {
  const { code, random } = scope;
  const like = scope.targetsLike(0).filter((label) => !scope.label(label).isLoop);
  const labels = Array.from({ length: random.below(5) }, () => random.pick(like));
  stir(scope);
  code.i32(7);
  code.op("i32.and");
  code.op("br_table", labels.length, ...labels, random.pick(like));
}

/** What nothing follows. */
export function leave(scope: Scope): void {
  const { code, random, plan, type } = scope;
  switch (random.below(plan.exceptions ? 6 : 4)) {
    case 0:
      push(scope, type.results);
      code.op("return");
      return;
    case 1:
      tailCall(scope);
      return;
    case 2: {
      const { targets } = scope;
      if (targets.length === 0) return;
      const label = random.pick(targets);
      const { types, isLoop } = scope.label(label);
      if (isLoop) {
        ifTurnsAreLeft(scope, () => {
          push(scope, types);
          code.op("br", label + 1);
        });
        return;
      }
      push(scope, types);
      code.op("br", label);
      return;
    }
    case 3:
      if (random.once(15)) code.op("unreachable");
      else statements(scope, 2);
      return;
    default:
      raise(scope);
      return;
  }
}

function tailCall(scope: Scope): void {
  const { code, random, plan, type } = scope;
  const like = plan.functions.flatMap(({ results }, i) => (`${results}` === `${type.results}` ? [i] : []));
  const index = random.pick(like);
  const target = plan.functions[index] ?? type;
  ifTurnsAreLeft(scope, () => {
    push(scope, target.params);
    if (random.once(3)) {
      // The table holds the functions in order, unless the program has changed it.
      code.i32(index);
      code.op("return_call_indirect", scope.typeIndex(target), 0);
    } else {
      code.op("return_call", FIRST_FUNCTION + index);
    }
  });
}
