import { ValueTypes } from "#src/sandbox/binary/core-types";
import { expression } from "./expression.js";
import type { Scope } from "./scope.js";
import { BLOCK_TYPES, TAG_TYPES } from "./shapes.js";
import { consume, content, onCondition, push, statements } from "./statement.js";

/** Raises a new exception, or one that was caught. */
export function raise(scope: Scope): void {
  const { code, random } = scope;
  const caught = scope.labels.map((_, i) => i).filter((i) => scope.label(i).isCatch);
  if (caught.length > 0 && random.once(2)) {
    code.op("rethrow", random.pick(caught));
    return;
  }
  const tag = random.below(TAG_TYPES.length);
  push(scope, TAG_TYPES[tag]?.params ?? []);
  code.op("throw", tag);
}

/** Code with a handler of the encoding that the module has. */
export function guarded(scope: Scope): void {
  if (scope.plan.exceptions === "legacy") legacy(scope);
  else tryTable(scope);
}

function legacy(scope: Scope): void {
  const { code, random } = scope;
  const type = random.pick(BLOCK_TYPES);
  push(scope, type.params);
  code.open("try", scope.typeIndex(type));
  scope.inside(type.results, () => {
    consume(scope, type.params);
    mayRaise(scope);
    push(scope, type.results);
  });
  if (random.once(5)) {
    code.op("delegate", random.below(scope.labels.length));
    consume(scope, type.results);
    return;
  }
  const handlers = random.below(3);
  for (let i = 0; i < handlers; i++) {
    const tag = random.below(TAG_TYPES.length);
    code.op("catch", tag);
    const params = TAG_TYPES[tag]?.params ?? [];
    scope.inside(type.results, () => content(scope, params, type.results), { isCatch: true });
  }
  if (random.once(2)) {
    code.op("catch_all");
    scope.inside(type.results, () => content(scope, [], type.results), { isCatch: true });
  }
  code.op("end");
  consume(scope, type.results);
}

function mayRaise(scope: Scope): void {
  statements(scope, 2);
  if (scope.random.once(2)) onCondition(scope, () => raise(scope));
  statements(scope, 2);
}

/** A `try_table` in a block that its clauses lead to. */
function tryTable(scope: Scope): void {
  const { code, random } = scope;
  const tag = random.below(TAG_TYPES.length);
  const withReference = random.once(2);
  const kind = random.pick(["catch", "catch_all", "both"]);
  const values = kind === "catch_all" ? [] : (TAG_TYPES[tag]?.params ?? []);
  const results = withReference ? [...values, ValueTypes.exnref] : values;
  code.open("block", scope.typeIndex({ params: [], results }));
  scope.inside(results, () => {
    const type = random.pick(BLOCK_TYPES);
    push(scope, type.params);
    code.open("try_table", scope.typeIndex(type));
    const catches = [...(kind === "catch_all" ? [] : [withReference ? 1 : 0])];
    if (kind === "catch_all" || (kind === "both" && values.length === 0)) catches.push(withReference ? 3 : 2);
    code.out.u32(catches.length);
    for (const clause of catches) {
      code.out.byte(clause);
      if (clause < 2) code.out.u32(tag);
      code.out.u32(0);
    }
    scope.inside(type.results, () => {
      consume(scope, type.params);
      mayRaise(scope);
      push(scope, type.results);
    });
    code.op("end");
    consume(scope, type.results);
    if (withReference) {
      // Without an exception there is none to bring: the block is left around it.
      if (random.once(2)) statements(scope, 2);
      push(scope, scope.type.results);
      code.op("return");
    } else {
      push(scope, values);
    }
  });
  code.op("end");
  if (withReference) {
    if (random.once(3)) code.op("throw_ref");
    else code.op("drop");
  }
  consume(scope, values);
  if (random.once(3)) {
    expression(scope, ValueTypes.i32);
    code.op("drop");
  }
}
