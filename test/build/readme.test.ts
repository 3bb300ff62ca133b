import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HookEvent } from "#src/hooks/event";
import type { JsonValue } from "#src/hooks/json";
import { buildText } from "../support/assemblyscript.js";
import { type RunningComponent, runComponent } from "../support/run-component.js";

const README = readFileSync(new URL("../../guest/README.md", import.meta.url), "utf8");
const EXAMPLES = [...README.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source]) => source ?? "");

function call(input: Record<string, JsonValue>): HookEvent {
  return { event: "preToolCall", cwd: "/work", tool: { name: "bash", input } };
}

/** For each example, in order: events, and what it answers. */
const ANSWERS: [string, [HookEvent, object][]][] = [
  [
    "before the model is asked",
    [
      [{ event: "preGeneration", cwd: "/", prompt: "hi" }, { context: expect.stringContaining("frozen") }],
      [
        { event: "preGeneration", cwd: "/", prompt: "-----BEGIN PRIVATE KEY" },
        { action: "stop", reason: expect.any(String), response: expect.stringMatching(/^Please/) },
      ],
    ],
  ],
  [
    "before a tool is called",
    [
      [call({ command: "a; rm x" }), { action: "deny", reason: "rm is not allowed here" }],
      [call({ command: "ls", timeout: 900 }), { input: { command: "ls", timeout: 600 } }],
      [call({ command: "ls" }), {}],
    ],
  ],
  [
    "after it was called",
    [
      [
        { event: "postToolCall", cwd: "/", tool: { name: "x", input: {}, error: "EADDRINUSE" } },
        { context: expect.stringContaining("npm run stop") },
      ],
    ],
  ],
  [
    "after the model has answered",
    [[{ event: "postGeneration", cwd: "/", prompt: "p", response: "TODO" }, { notice: expect.any(String) }]],
  ],
  [
    "on JSON",
    [
      [call({ body: '{"a":[1.50]}' }), { notice: "[1.50]" }],
      [call({ lines: 7, names: ["x"] }), { notice: '{"list":[0,0.5,1,1.5,2,2.5],"lines":7}' }],
    ],
  ],
  [
    "on command lines",
    [
      [call({ command: "git status" }), { action: "allow" }],
      [call({ command: "git status; x" }), {}],
    ],
  ],
];

describe("the README of the guest library", () => {
  it("has the examples that are tested here", () => {
    expect(EXAMPLES).toHaveLength(ANSWERS.length);
  });

  describe.each(ANSWERS.map(([name, answers], index) => ({ name, answers, index })))(
    "has an example $name",
    ({ answers, index }) => {
      let guest: RunningComponent;
      beforeAll(async () => {
        guest = runComponent(await buildText(EXAMPLES[index] ?? ""));
      });
      afterAll(() => guest[Symbol.asyncDispose]());

      it("which builds and answers as it says", async () => {
        for (const [event, decision] of answers) {
          const answer = await guest.run(event, { config: { banned: ["rm"] } });
          expect(answer).toHaveProperty("decision");
          if ("decision" in answer) expect(answer.decision).toEqual(decision);
        }
      });
    },
  );
});
