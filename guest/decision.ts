import { Json } from "./json/json";

/**
 * What a hook answers. Each function below starts one, and each method adds to it:
 * `context("tests are in test/").notice("added a hint")`. What is set twice is as it was set last.
 */
export class Decision {
  /** The decision as the host gets it. */
  readonly json: Json = Json.object();
  /** Why the hook failed, where it did. */
  failure: string | null = null;

  /** `preToolCall`: the tool is not called, and the model reads why. */
  deny(reason: string): Decision {
    return this.act("deny", reason);
  }

  /** `preToolCall`: the user is not asked; the agent's other gates still stand. */
  allow(reason: string = ""): Decision {
    return this.act("allow", reason);
  }

  /** `preToolCall`: the user is asked. */
  ask(reason: string = ""): Decision {
    return this.act("ask", reason);
  }

  /** `preGeneration`: the model is not called, and the user reads `response`. */
  stop(reason: string, response: string = ""): Decision {
    this.act("stop", reason);
    return response == "" ? this : this.put("response", response);
  }

  /** Text for the model: with the prompt, or with the tool's output. */
  context(text: string): Decision {
    return this.put("context", text);
  }

  /** `preToolCall`: replaces the tool's arguments as a whole. */
  rewriteInput(input: Json): Decision {
    if (!input.isObject) return this.fail("the new input of the tool is not an object");
    this.json.set("input", input);
    return this;
  }

  /** `preGeneration`: replaces the prompt as a whole. */
  rewritePrompt(prompt: string): Decision {
    return this.put("prompt", prompt);
  }

  /** Text for the user, never for the model. */
  notice(text: string): Decision {
    return this.put("notice", text);
  }

  /** The hook failed: its `onError` says what that means, and nothing else of the decision counts. */
  fail(message: string): Decision {
    this.failure = message;
    return this;
  }

  private act(action: string, reason: string): Decision {
    this.put("action", action);
    return reason == "" ? this : this.put("reason", reason);
  }

  private put(field: string, text: string): Decision {
    this.json.set(field, Json.string(text));
    return this;
  }
}

/** `preToolCall`: the tool is not called, and the model reads why. */
export function deny(reason: string): Decision {
  return new Decision().deny(reason);
}

/** `preToolCall`: the user is not asked; the agent's other gates still stand. */
export function allow(reason: string = ""): Decision {
  return new Decision().allow(reason);
}

/** `preToolCall`: the user is asked. */
export function ask(reason: string = ""): Decision {
  return new Decision().ask(reason);
}

/** `preGeneration`: the model is not called, and the user reads `response`. */
export function stop(reason: string, response: string = ""): Decision {
  return new Decision().stop(reason, response);
}

/** Text for the model: with the prompt, or with the tool's output. */
export function context(text: string): Decision {
  return new Decision().context(text);
}

/** `preToolCall`: replaces the tool's arguments as a whole. */
export function rewriteInput(input: Json): Decision {
  return new Decision().rewriteInput(input);
}

/** `preGeneration`: replaces the prompt as a whole. */
export function rewritePrompt(prompt: string): Decision {
  return new Decision().rewritePrompt(prompt);
}

/** Text for the user, never for the model. */
export function notice(text: string): Decision {
  return new Decision().notice(text);
}

/** The hook failed, and says why: its `onError` says what that means. */
export function fail(message: string): Decision {
  return new Decision().fail(message);
}
