import { expectTypeOf, test } from "vitest";
import type {
  Decision,
  DecisionAt,
  HookEvent,
  JsonValue,
  Moment,
  PreGenerationDecision,
  PreToolCallDecision,
  PreToolCallEvent,
  TypedEvent,
} from "#src/types";

// What these say is checked when the types are, by `npm run check`.

test("an event is told apart by its moment, and then has what that moment has", () => {
  const commandOf = (event: TypedEvent): JsonValue | undefined =>
    event.event === "preToolCall" ? event.tool.input.command : undefined;
  expectTypeOf(commandOf).returns.toEqualTypeOf<JsonValue | undefined>();
  const promptOf = (event: TypedEvent): string => (event.event === "preGeneration" ? event.prompt : "");
  expectTypeOf(promptOf).parameter(0).toExtend<HookEvent>();
});

test("a decision of a moment is a decision, and holds only what is legal there", () => {
  expectTypeOf<DecisionAt[Moment]>().toExtend<Decision>();
  expectTypeOf({ action: "deny", reason: "r", context: "c" } as const).toExtend<PreToolCallDecision>();
  expectTypeOf({ action: "stop", response: "r" } as const).toExtend<PreGenerationDecision>();
  expectTypeOf({}).toExtend<PreToolCallDecision>();
  expectTypeOf({ action: "stop" } as const).not.toExtend<PreToolCallDecision>();
  expectTypeOf({ reason: "r" }).not.toExtend<PreToolCallDecision>();
  expectTypeOf({ action: "deny", response: "r" } as const).not.toExtend<PreToolCallDecision>();
  expectTypeOf({ action: "deny" } as const).not.toExtend<PreGenerationDecision>();
});

test("a hook can be typed by its moment", () => {
  const guard = ({ tool }: PreToolCallEvent): PreToolCallDecision =>
    tool.name === "bash" ? { action: "deny", reason: "no" } : {};
  expectTypeOf(
    guard({ event: "preToolCall", cwd: "/", tool: { name: "x", input: {} } }),
  ).toExtend<Decision>();
});
