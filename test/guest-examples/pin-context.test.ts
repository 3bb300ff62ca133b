import { describe, expect, it } from "vitest";
import type { HookEvent } from "#src/hooks/event";
import { builtExample, testEvents } from "./examples.js";

const PROMPT: HookEvent = { event: "preGeneration", cwd: "/", prompt: "p" };

describe("the example pin-context", async () => {
  const example = builtExample("pin-context");
  await testEvents(example);

  it("takes a text, or lines", async () => {
    expect(await example.run(PROMPT, { config: { text: "é\nf" } })).toMatchObject({
      decision: { context: "é\nf" },
    });
    expect(await example.run(PROMPT, { config: { text: ["a", "b"] } })).toMatchObject({
      decision: { context: "a\nb" },
    });
  });

  it.each([[null], [{}], [{ text: [] }], [{ text: 5 }]])(
    "says that a config of %j lacks a text",
    async (config) => {
      expect(await example.run(PROMPT, { config })).toMatchObject({
        failure: { code: "guest-error", message: expect.stringContaining('"text"') },
      });
    },
  );
});
