import { withContext } from "./added-context.js";
import { askHooks, eventOf, type HookChain, type Turn } from "./ask-hooks.js";
import type { Notice, Run } from "./outcome.js";
import { blockedPrompt } from "./turn-text.js";

export interface PromptGateOptions {
  hooks: HookChain;
  /** Has the model answer the question. */
  generate: (prompt: string, signal: AbortSignal | undefined) => Promise<string>;
}

/** What became of a question. */
export interface GatedPrompt {
  /** `stopped`: by a hook, and the model was not called. */
  status: "answered" | "stopped";
  /** What stands in the history as the question: as the model read it, or that it was blocked. */
  prompt: string;
  /** What the user reads. */
  response: string;
  reason?: string;
  notices: Notice[];
  runs: Run[];
}

/**
 * The order around one question: hooks, the model, hooks again. The hooks after it see the question as the user's
 * hooks left it, without the context that they added. Source: the `mm` document.
 */
export function promptGate({
  hooks,
  generate,
}: PromptGateOptions): (prompt: string, turn: Turn) => Promise<GatedPrompt> {
  return async (prompt, turn) => {
    const record: Pick<GatedPrompt, "notices" | "runs"> = { notices: [], runs: [] };

    const before = await askHooks(hooks, eventOf("preGeneration", { prompt }, turn), turn, record);
    if (before.decision === "stop" || before.decision === "deny") {
      const { reason, response } = before;
      return {
        status: "stopped",
        prompt: blockedPrompt(reason),
        response: response ?? reason ?? "a hook stopped this question",
        ...(reason === undefined ? {} : { reason }),
        ...record,
      };
    }

    const question = before.prompt ?? prompt;
    const asked = withContext(question, before.context);
    const response = await generate(asked, turn.signal);
    await askHooks(hooks, eventOf("postGeneration", { prompt: question, response }, turn), turn, record);
    return { status: "answered", prompt: asked, response, ...record };
  };
}
