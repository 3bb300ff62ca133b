import { Json } from "./json/json";

/** A tool call. */
export class Tool {
  constructor(readonly json: Json) {}

  get name(): string {
    return this.json.get("name").string();
  }

  /** The arguments, an object. A change to it has an effect only by `rewriteInput`. */
  get input(): Json {
    return this.json.get("input");
  }

  /** What the tool gave, after the call; empty where it failed. */
  get output(): string {
    return this.json.get("output").string();
  }

  /** Why the tool failed, after the call; empty where it did not. */
  get error(): string {
    return this.json.get("error").string();
  }
}

/**
 * What a hook is called with. A text that the event does not have is empty; `json` is the whole event, with
 * the fields that only one agent has.
 */
export class Event {
  constructor(readonly json: Json) {}

  /** `preGeneration`, `preToolCall`, `postToolCall` or `postGeneration`. */
  get moment(): string {
    return this.json.get("event").string();
  }

  /** The directory that the agent works in, absolute. */
  get cwd(): string {
    return this.json.get("cwd").string();
  }

  get session(): string {
    return this.json.get("session").string();
  }

  get agent(): string {
    return this.json.get("agent").string();
  }

  /** On `preToolCall` and `postToolCall`; on the others its name is empty and its input is missing. */
  get tool(): Tool {
    return new Tool(this.json.get("tool"));
  }

  /** On `preGeneration`, and kept on `postGeneration`. */
  get prompt(): string {
    return this.json.get("prompt").string();
  }

  /** On `postGeneration`. */
  get response(): string {
    return this.json.get("response").string();
  }
}
