import { type GatedCall, gate, type HookChain, promptGate, type Question, type Turn } from "wasmhook";
import type { AgentFile } from "./agent-file.js";
import { floor, planOnly } from "./floor.js";
import type { Message, Model, ModelCall } from "./model.js";
import { describeTools, runTool } from "./tools.js";

/** Whoever shows a session: a terminal, or an editor. */
export interface Screen {
  /** Puts the consent question. */
  confirm(question: Question, call: ModelCall, signal: AbortSignal | undefined): Promise<boolean>;
  /** A call that went through the gates, or did not. */
  showCall(call: ModelCall, gated: GatedCall): void | Promise<void>;
}

export interface SessionOptions {
  agent: AgentFile;
  model: Model;
  hooks: HookChain;
  cwd: string;
  screen: Screen;
}

/** What one question came to. */
export type Answer = Awaited<ReturnType<ReturnType<typeof promptGate>>>;

/** More rounds of tools than any question needs. */
const MOST_ROUNDS = 50;

/** A conversation: its history, and the turns that add to it. */
export class Session {
  isPlanning = false;
  readonly history: Message[];
  readonly #options: SessionOptions;
  readonly #id: string;

  constructor(options: SessionOptions, id: string) {
    this.#options = options;
    this.#id = id;
    this.history = [{ role: "system", text: options.agent.system }];
  }

  async ask(prompt: string, signal?: AbortSignal): Promise<Answer> {
    const { hooks } = this.#options;
    const generate = async (asked: string) => {
      this.history.push({ role: "user", text: asked });
      return await this.#answer(this.history, signal);
    };
    const answer = await promptGate({ hooks, generate })(prompt, this.#turn(signal));
    if (answer.status === "stopped") this.history.push({ role: "user", text: answer.prompt });
    return answer;
  }

  /** Has the model answer, and its calls made, until it calls no more. */
  async #answer(messages: Message[], signal: AbortSignal | undefined): Promise<string> {
    const { model, agent } = this.#options;
    const tools = describeTools(agent.tools);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { text, calls } = await model.reply(messages, tools, signal);
      messages.push({ role: "assistant", text, calls });
      if (calls.length === 0) return text;
      const results = await Promise.all(calls.map((call) => this.#call(call, signal)));
      for (const [i, { text }] of results.entries()) {
        messages.push({ role: "tool", callId: calls[i]?.id ?? "", text });
      }
    }
    return `(stopped after ${MOST_ROUNDS} rounds of tools)`;
  }

  async #call(call: ModelCall, signal: AbortSignal | undefined): Promise<GatedCall> {
    const { hooks, agent, cwd, screen } = this.#options;
    const gated = await gate({
      hooks,
      floor,
      planMode: (asked) => (this.isPlanning ? planOnly(asked) : undefined),
      needsConsent: () => !agent.yolo,
      confirm: (question, signal) => screen.confirm(question, call, signal),
      run: (allowed, signal) => runTool(allowed, cwd, (task) => this.#delegate(task, signal), signal),
    })(call, this.#turn(signal));
    await screen.showCall(call, gated);
    return gated;
  }

  /** The calls of a delegated task go through the same gates. */
  #delegate(task: string, signal: AbortSignal | undefined): Promise<string> {
    const { agent } = this.#options;
    return this.#answer(
      [
        { role: "system", text: agent.system },
        { role: "user", text: task },
      ],
      signal,
    );
  }

  #turn(signal: AbortSignal | undefined): Turn {
    return { cwd: this.#options.cwd, session: this.#id, agent: "mm", signal };
  }
}
