import { describe, expect, it } from "vitest";
import { Chains } from "./chains.js";
import { parityTests } from "./parity.js";
import { readRecords } from "./records.js";
import { expectedInMm } from "./said.js";

const chains = new Chains("mm");

parityTests({
  chains,
  records: {
    preGeneration: { stop: 6, prompt: 10, context: 15, notice: 10, none: 50 },
    preToolCall: { deny: 25, ask: 20, allow: 18, input: 20, context: 2, notice: 15, failure: 5, none: 40 },
    "postToolCall-success": { context: 20, notice: 6, none: 60 },
    "postToolCall-failure": { context: 50, notice: 7, none: 60 },
    postGeneration: { notice: 20, failure: 2, none: 50 },
  },
  spelled: (event) => event,
  expected: expectedInMm,
  sample: [
    "the same after half of a surrogate pair",
    "write CR LF in nested edits",
    "64 KiB of box drawing",
    "everything at once",
    "an open code block with a TODO",
  ],
});

describe("a guard that comes after a guard which rewrote the event", () => {
  const reading = Promise.all([readRecords("preToolCall"), readRecords("preGeneration")]);
  const notice = (hook: string, text: string) => ({ hook, kind: "info", text });
  const ran = ["preToolCall[0]", "preToolCall[1]"];

  it.each(["cw", "wc", "cc", "ww"] as const)(
    "judges what that one made of it, in the chain %s",
    async (chain) => {
      const all = (await reading).flat();
      const outcome = (name: string) => {
        const recorded = all.find((one) => one.name === name);
        if (recorded === undefined) throw new Error(`there is no event "${name}"`);
        return chains.run(chain, recorded.event);
      };
      expect(await outcome("sudo before what is approved")).toEqual({
        decision: "allow",
        reason: "git status is approved",
        input: { command: "git status" },
        notices: [notice("preToolCall[0]", "sudo was left out")],
        ran,
      });
      expect(await outcome("sudo twice")).toEqual({
        decision: "ask",
        reason: "rm removes files",
        input: { command: "rm -rf build" },
        notices: [
          notice("preToolCall[0]", "sudo was left out"),
          notice("preToolCall[1]", "sudo was left out"),
        ],
        ran,
      });
      expect(await outcome("sudo before make")).toEqual({
        decision: "none",
        input: { command: "make install", timeout: 600 },
        notices: [notice("preToolCall[0]", "sudo was left out")],
        ran,
      });
      expect(await outcome("a plan with a key")).toEqual({
        decision: "none",
        prompt: "Make a plan first, and change nothing.\n\nuse [key removed]",
        notices: [notice("preGeneration[0]", "1 key(s) removed from the prompt")],
        ran: ["preGeneration[0]", "preGeneration[1]"],
      });
    },
  );
});
