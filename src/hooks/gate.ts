import { aborted } from "../cut-short.js";
import { WasmhookError } from "../errors.js";
import { withContext } from "./added-context.js";
import { askHooks, eventOf, type HookChain, notAsked, type Turn } from "./ask-hooks.js";
import type { ToolCall } from "./event.js";
import type { Notice, Run } from "./outcome.js";
import { snapshotEvent } from "./snapshot-event.js";

/** A call that the model asks for. */
export type Call = Pick<ToolCall, "name" | "input">;

/** What a tool gave: its output, or what it failed with. */
export type ToolResult = { output: string } | { error: string };

/** What the user is asked before a call is made. */
export interface Question {
  /** With the arguments that it would be made with. */
  call: Call;
  /** Whether it is a hook that wants it asked, whatever the agent's own rule. */
  byHook: boolean;
  reason?: string;
}

/** What refuses a call whatever hooks say: the reason, for the model; nothing where it does not. */
export type Refuse = (call: Call) => string | undefined | Promise<string | undefined>;

export interface GateOptions {
  /** What no call may ever do. */
  floor?: Refuse | undefined;
  /** What no call may do while the agent only plans. */
  planMode?: Refuse | undefined;
  hooks: HookChain;
  /** Puts the consent question. Where it is missing nobody can be asked, and a call that a hook wants asked about is declined. */
  confirm?: ((question: Question, signal: AbortSignal | undefined) => Promise<boolean>) | undefined;
  /** Whether a call needs consent that no hook allowed. Where this is missing all do, if there is a `confirm`. */
  needsConsent?: ((call: Call) => boolean) | undefined;
  /** Makes the call. What it throws is what the tool failed with. */
  run: (call: Call, signal: AbortSignal | undefined) => Promise<ToolResult>;
}

/** What became of a call. */
export interface GatedCall {
  /**
   * `ran`: the tool did its work; `failed`: it was called, and failed; `refused`: by the floor or plan mode; `denied`:
   * by a hook; `declined`: by the user, or as there was nobody to ask.
   */
  status: "ran" | "failed" | "refused" | "denied" | "declined";
  /** The call with the arguments as hooks left them: those that were shown, confirmed and run. */
  call: Call;
  /** What the model reads as the call's result: output and context, or why it was not made. */
  text: string;
  reason?: string;
  notices: Notice[];
  runs: Run[];
}

/**
 * The order of the gates around one tool call: safety floor, plan mode, hooks, consent, the tool, hooks again. A `deny`
 * is honoured wherever it comes from. An `allow` answers the consent question of that call and nothing else: what a
 * hook made of the arguments is put to the floor and to plan mode once more. Calls may be gated at the same time,
 * those of delegated work too.
 *
 * Source of the order: the mnemoai document.
 */
export function gate(options: GateOptions): (call: Call, turn: Turn) => Promise<GatedCall> {
  return async (call, turn) => {
    const record: Pick<GatedCall, "notices" | "runs"> = { notices: [], runs: [] };
    const ended = (status: GatedCall["status"], ended: Call, reason: string, context?: string): GatedCall => {
      return { status, call: ended, text: withContext(reason, context), reason, ...record };
    };
    let asked: Call;
    try {
      asked = copyOf(call, turn);
    } catch (error) {
      if (!(error instanceof WasmhookError)) throw error;
      return ended("denied", call, notAsked(error));
    }

    const refusal = await refused(options, asked);
    if (refusal !== undefined) return ended("refused", asked, refusal);

    const before = await askHooks(options.hooks, eventOf("preToolCall", { tool: asked }, turn), turn, record);
    const allowed: Call = before.input === undefined ? asked : { ...asked, input: before.input };
    if (before.decision === "deny" || before.decision === "stop") {
      return ended("denied", allowed, before.reason ?? "denied by a hook", before.context);
    }
    if (before.input !== undefined) {
      const refusal = await refused(options, allowed);
      if (refusal !== undefined) return ended("refused", allowed, refusal, before.context);
    }

    if (before.decision === "ask" || (before.decision !== "allow" && needsConsent(options, allowed))) {
      const question: Question = {
        call: allowed,
        byHook: before.decision === "ask",
        ...(before.reason === undefined ? {} : { reason: before.reason }),
      };
      if (options.confirm === undefined) {
        return ended(
          "declined",
          allowed,
          "this call needs the user's consent, and there is nobody to ask",
          before.context,
        );
      }
      if (!(await options.confirm(question, turn.signal))) {
        return ended("declined", allowed, "the user declined this call", before.context);
      }
    }

    // What was asked took its time: a mode may be another by now, or the turn be over.
    const late = await refused(options, allowed);
    if (late !== undefined) return ended("refused", allowed, late, before.context);
    if (turn.signal?.aborted) throw aborted();

    const result = await resultOf(options, allowed, turn);
    const after = await askHooks(
      options.hooks,
      eventOf("postToolCall", { tool: { ...allowed, ...result } }, turn),
      turn,
      record,
    );
    const text = "error" in result ? result.error : result.output;
    const context = [before.context, after.context].filter((text) => text !== undefined);
    return {
      status: "error" in result ? "failed" : "ran",
      call: allowed,
      text: withContext(text, context.length === 0 ? undefined : context.join("\n")),
      ...record,
    };
  };
}

/**
 * The call as JSON has it, which is what hooks see: so the same is shown, confirmed and run.
 * @throws WasmhookError where there is no event of it
 */
function copyOf(call: Call, turn: Turn): Call {
  const { tool } = snapshotEvent(
    eventOf("preToolCall", { tool: { name: call.name, input: call.input } }, turn),
  );
  return tool ?? call;
}

async function refused({ floor, planMode }: GateOptions, call: Call): Promise<string | undefined> {
  return (await floor?.(call)) ?? (await planMode?.(call));
}

function needsConsent({ needsConsent, confirm }: GateOptions, call: Call): boolean {
  return needsConsent === undefined ? confirm !== undefined : needsConsent(call);
}

async function resultOf({ run }: GateOptions, call: Call, { signal }: Turn): Promise<ToolResult> {
  try {
    return await run(call, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
