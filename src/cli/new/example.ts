import type { HookEvent, Moment } from "../../hooks/event.js";
import type { JsonObject } from "../../hooks/json.js";

/** What a new hook does at a moment, for its author to put something else in place of it. */
export interface Example {
  /** It looks for this text. */
  readonly needle: string;
  /** Where it looks, in each language that reads the event. */
  readonly in: { readonly ts: string; readonly as: string; readonly go: string };
  /** What it decides where the text is there, as JSON and in AssemblyScript. */
  readonly decision: JsonObject;
  readonly call: readonly [name: string, ...texts: string[]];
  /** An event with the text in it, and one without. */
  readonly events: { readonly found: HookEvent; readonly other: HookEvent };
}

const cwd = "/home/me/project";

export const EXAMPLES: Readonly<Record<Moment, Example>> = {
  preGeneration: {
    needle: "BEGIN PRIVATE KEY",
    in: { ts: "event.prompt", as: "event.prompt", go: "event.Prompt" },
    decision: {
      action: "stop",
      reason: "The prompt holds a private key.",
      response: "Please take the private key out of your message.",
    },
    call: ["stop", "The prompt holds a private key.", "Please take the private key out of your message."],
    events: {
      found: { event: "preGeneration", cwd, prompt: "Is this right? -----BEGIN PRIVATE KEY-----" },
      other: { event: "preGeneration", cwd, prompt: "Is this right?" },
    },
  },
  preToolCall: {
    needle: "sudo ",
    in: {
      ts: "String(event.tool.input.command)",
      as: 'event.tool.input.get("command").string()',
      go: 'fmt.Sprint(event.Tool.Input["command"])',
    },
    decision: { action: "deny", reason: "Nothing here needs root." },
    call: ["deny", "Nothing here needs root."],
    events: {
      found: {
        event: "preToolCall",
        cwd,
        tool: { name: "bash", input: { command: "sudo apt-get install git" } },
      },
      other: { event: "preToolCall", cwd, tool: { name: "bash", input: { command: "ls" } } },
    },
  },
  postToolCall: {
    needle: "EADDRINUSE",
    in: { ts: 'String(event.tool.error ?? "")', as: "event.tool.error", go: "event.Tool.Error" },
    decision: { context: "Another server runs already: stop it first." },
    call: ["context", "Another server runs already: stop it first."],
    events: {
      found: {
        event: "postToolCall",
        cwd,
        tool: { name: "bash", input: { command: "npm start" }, error: "listen EADDRINUSE: port 8080" },
      },
      other: {
        event: "postToolCall",
        cwd,
        tool: { name: "bash", input: { command: "npm start" }, output: "listening" },
      },
    },
  },
  postGeneration: {
    needle: "TODO",
    in: { ts: '(event.response ?? "")', as: "event.response", go: "event.Response" },
    decision: { notice: "The answer leaves something to be done." },
    call: ["notice", "The answer leaves something to be done."],
    events: {
      found: { event: "postGeneration", cwd, prompt: "Write it.", response: "// TODO: the rest" },
      other: { event: "postGeneration", cwd, prompt: "Write it.", response: "Done." },
    },
  },
};
