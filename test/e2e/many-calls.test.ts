import { expect, it } from "vitest";
import { type GatedCall, gate, loadHooks } from "#src/index";
import { childrenOf } from "../support/child-processes.js";
import { folder } from "../support/cli.js";
import { grepGuest, loopGuest, trapGuest } from "../support/guests.js";
import { component, mmAgent, prints } from "./hooks.js";

const CALLS = 200;
const ENDLESS = { fuel: "1000000G", deadline: "300ms" };
const deny = (reason: string) => ({ action: "deny", reason });

/** What hooks do to a call, by the name of its tool; those that fail are guards, and deny it. */
const TOOLS: Record<string, { hooks: object[]; status: GatedCall["status"]; text: RegExp }> = {
  "fine-command": { hooks: [{ command: prints("{}") }], status: "ran", text: /^done by fine-command \d+$/ },
  "fine-wasm": {
    hooks: [{ wasm: await component(grepGuest("never there", "{}")) }],
    status: "ran",
    text: /^done by fine-wasm \d+$/,
  },
  mixed: {
    hooks: [
      { command: prints(JSON.stringify({ context: "from a command" })) },
      { wasm: await component(grepGuest("mixed", JSON.stringify({ context: "from wasm" }))) },
    ],
    status: "ran",
    text: /^done by mixed \d+\n\n\[context added by a hook\]\nfrom a command\nfrom wasm$/,
  },
  "denied-command": {
    hooks: [{ command: prints(JSON.stringify(deny("no"))) }],
    status: "denied",
    text: /^no$/,
  },
  "denied-wasm": {
    hooks: [{ wasm: await component(grepGuest("denied-wasm", JSON.stringify(deny("no")))) }],
    status: "denied",
    text: /^no$/,
  },
  "hanging-command": {
    hooks: [{ command: "sleep 100", timeout: "300ms" }],
    status: "denied",
    text: /sleep 100/,
  },
  "hanging-wasm": {
    hooks: [{ wasm: await component(loopGuest), limits: ENDLESS }],
    status: "denied",
    text: /wall clock|deadline|ms/,
  },
  "burning-wasm": {
    hooks: [{ wasm: await component(loopGuest), limits: { fuel: "1M" } }],
    status: "denied",
    text: /fuel/,
  },
  "crashing-command": { hooks: [{ command: "kill -SEGV $$" }], status: "denied", text: /SIGSEGV/ },
  "crashing-wasm": {
    hooks: [{ wasm: await component(trapGuest) }],
    status: "denied",
    text: /trap|unreachable/,
  },
};

it("two hundred calls at once each come to what their hooks decide, and nothing is left running", async () => {
  const before = await childrenOf(process.pid);
  const hooks = Object.entries(TOOLS).flatMap(([name, { hooks }]) =>
    hooks.map((hook) => ({ matcher: `^${name}$`, onError: "fail", ...hook })),
  );
  const loaded = await loadHooks(await mmAgent({ preToolCall: hooks as never }));
  expect(loaded.problems).toEqual([]);
  const call = gate({
    hooks: loaded,
    run: async ({ name, input }) => ({ output: `done by ${name} ${input.number}` }),
  });
  const turn = { cwd: await folder() };
  const names = Object.keys(TOOLS);
  const results = await Promise.all(
    Array.from({ length: CALLS }, (_, number) =>
      call({ name: names[number % names.length]!, input: { number } }, turn),
    ),
  );
  for (const [number, result] of results.entries()) {
    const name = names[number % names.length]!;
    const { status, text } = TOOLS[name]!;
    expect([name, result.status, result.call.input]).toEqual([name, status, { number }]);
    expect(result.text).toMatch(text);
    if (status === "ran") expect(result.text).toContain(`done by ${name} ${number}`);
  }
  await loaded.close();
  expect(await childrenOf(process.pid)).toEqual(before);
});
