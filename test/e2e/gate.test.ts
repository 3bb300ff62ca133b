import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { deedLines, deniedLine, deniedTitle, type GateOptions, gate, promptGate, runLine } from "#src/index";
import { type Declared, KINDS, load, mmAgent, says, saysWhere } from "./hooks.js";

const CALL = { name: "bash", input: { command: "git push -f origin main" } };
const TURN = { cwd: tmpdir() };

/** Gates the call with the hooks of an `mm` agent. */
async function gated(before: Declared[], after: Declared[] = [], over: Partial<GateOptions> = {}) {
  const hooks = await load(await mmAgent({ preToolCall: before, postToolCall: after }));
  const asked: unknown[] = [];
  const ran: unknown[] = [];
  const result = await gate({
    hooks,
    confirm: async ({ call }) => {
      asked.push(call.input);
      return true;
    },
    run: async ({ input }) => {
      ran.push(input);
      return { output: "pushed" };
    },
    ...over,
  })(CALL, TURN);
  return { hooks, result, asked, ran };
}

describe.each(KINDS)("an agent with a %s hook", (kind) => {
  it("shows the hooks it loaded at the end of its banner, and in /hooks", async () => {
    const { hooks } = await gated([await saysWhere(kind, "push", { action: "deny" })]);
    expect(hooks.banner).toBe("hooks: preToolCall×1");
    expect(hooks.listing).toContain("1 hook(s), read at startup — restart to apply an edit.");
  });

  it("shows a denied call as the document does, and gives the reason to the model", async () => {
    const reason = "force-push is not allowed in this project";
    const { result, asked, ran } = await gated([
      await saysWhere(kind, "push -f", { action: "deny", reason }),
    ]);
    expect([result.status, result.text, asked, ran]).toEqual(["denied", reason, [], []]);
    expect(deniedLine(result.call.name, result.reason)).toBe(`🪝 bash [denied by a hook: ${reason}]`);
    expect(deniedTitle(result.call)).toBe("bash: git push -f origin main — denied by a hook");
    expect(result.runs.map((run) => runLine(run, 200))).toEqual([
      expect.stringMatching(/^🪝 preToolCall {2}.* {2}deny$/),
    ]);
  });

  it("does not put the question for a call that the hook allowed, and says which hook approved it", async () => {
    const { result, asked, ran } = await gated([await says(kind, { action: "allow" })]);
    expect([result.status, asked, ran]).toEqual(["ran", [], [CALL.input]]);
    expect(deedLines(result.runs, "bash")).toEqual([expect.stringMatching(/^🪝 .* approved bash$/)]);
  });

  it("confirms and runs the arguments that the hook rewrote", async () => {
    const input = { command: "git push" };
    const { asked, ran } = await gated([await says(kind, { input })]);
    expect([asked, ran]).toEqual([[input], [input]]);
  });

  it("appends the hook's context to the tool's output", async () => {
    const { result } = await gated([], [await says(kind, { context: "Tell the team." })]);
    expect(result.text).toBe("pushed\n\n[context added by a hook]\nTell the team.");
  });

  it("denies a call whose guard fails, with onError: fail", async () => {
    const { result, ran } = await gated([{ ...(await says(kind, "no JSON")), onError: "fail" }]);
    expect([result.status, ran]).toEqual(["denied", []]);
    expect(result.text).toContain("failed");
  });

  it("stops a question, of which the history holds that it was blocked", async () => {
    const stop = { action: "stop", reason: "secrets", response: "Ask without the key." };
    const hooks = await load(await mmAgent({ preGeneration: [await says(kind, stop)] }));
    const ask = promptGate({ hooks, generate: () => Promise.reject(new Error("the model was called")) });
    expect(await ask("What is AKIA123?", TURN)).toMatchObject({
      status: "stopped",
      prompt: "[prompt blocked by a hook: secrets]",
      response: "Ask without the key.",
    });
  });
});
