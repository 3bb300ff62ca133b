import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { WasmhookError } from "#src/errors";
import { Callee } from "#src/sandbox/callee";

/** One that has started, and then never says another word. */
class Silent extends Callee<string, string> {
  readonly done: string[] = [];

  constructor() {
    super();
    this.answered("ready");
  }

  say(reply: string): void {
    this.answered(reply);
  }

  protected post(message: string): void {
    this.done.push(`posted ${message}`);
  }

  protected async terminate(): Promise<void> {
    this.done.push("terminated");
  }

  protected hold(): void {
    this.done.push("held");
  }

  protected release(): void {
    this.done.push("released");
  }
}

/** What a call comes to, or that nothing comes of it. */
async function endOf(call: Promise<string>): Promise<string> {
  const told = call.catch((error: unknown) => (error instanceof WasmhookError ? error.code : String(error)));
  return await Promise.race([told, sleep(5_000, "nothing")]);
}

describe("a call", () => {
  test("is answered, and leaves the callee as it was", async () => {
    const callee = new Silent();
    const call = callee.call("hello", { deadlineMs: 60_000 });
    callee.say("hi");
    expect(await endOf(call)).toBe("hi");
    expect(callee.alive).toBe(true);
    expect(callee.done).toEqual(["released", "held", "posted hello", "released"]);
  });

  test.each([
    ["that is not answered by its deadline", () => ({ deadlineMs: 20 }), "deadline"],
    ["that is aborted", () => ({ deadlineMs: 60_000, signal: AbortSignal.timeout(20) }), "aborted"],
    ["that was aborted before", () => ({ deadlineMs: 60_000, signal: AbortSignal.abort() }), "aborted"],
  ])("%s fails, and ends the callee", async (_what, options, code) => {
    const callee = new Silent();
    expect(await endOf(callee.call("hello", options()))).toBe(code);
    expect(callee.alive).toBe(false);
    expect(callee.done).toContain("terminated");
  });
});
