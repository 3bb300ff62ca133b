// The gates around a tool call: what the floor and plan mode refuse, a hook denies or the user declines does not run.

const gate = "src/hooks/gate.ts";
const test = "test/hooks/gate.test.ts";

export const mutations = [
  {
    promise: "What the floor refuses does not run, whatever hooks say.",
    file: gate,
    find: "return (await floor?.(call)) ?? (await planMode?.(call));",
    put: "return await planMode?.(call);",
    tests: [test],
    only: "does not reach the floor",
  },
  {
    promise: "What plan mode refuses does not run, whatever hooks say.",
    file: gate,
    find: "return (await floor?.(call)) ?? (await planMode?.(call));",
    put: "return await floor?.(call);",
    tests: [test],
    only: "does not reach the planMode",
  },
  {
    promise: "Arguments that a hook rewrote are put to the floor and to plan mode before the user is asked.",
    file: gate,
    find: "if (before.input !== undefined) {",
    put: 'if (before.input !== undefined && before.decision === "allow") {',
    tests: [test],
    only: "that a hook rewrote",
  },
  {
    promise: "What plan mode refuses by the time that the call is made does not run.",
    file: gate,
    find: "const late = await refused(options, allowed);",
    put: "const late = undefined as string | undefined;",
    tests: [test],
    only: "plan mode was switched on while",
  },
  {
    promise: "Nothing runs in a turn that was aborted.",
    file: gate,
    find: "if (turn.signal?.aborted) throw aborted();",
    put: "",
    tests: [test],
    only: "the turn was aborted while",
  },
  {
    promise: "What a hook denies does not run.",
    file: gate,
    find: 'before.decision === "deny" || ',
    put: "",
    tests: [test],
    only: "blocks the call",
  },
  {
    promise: "What a hook wants asked is asked, whatever the agent's own rule.",
    file: gate,
    find: 'before.decision === "ask" || (before.decision',
    put: "(before.decision",
    tests: [test],
    only: "puts the question though",
  },
  {
    promise: "What a hook wants asked does not run where there is nobody to ask.",
    file: gate,
    find: "if (options.confirm === undefined) {",
    put: "options.confirm ??= async () => true;\n      if (options.confirm === undefined) {",
    tests: [test],
    only: "nobody to ask",
  },
  {
    promise: "What runs is what the hooks were shown.",
    file: gate,
    find: "return tool ?? call;",
    put: "return call;",
    tests: [test],
    only: "are what JSON makes of them",
  },
  {
    promise: "Where the hooks cannot be asked the call does not run.",
    file: "src/hooks/ask-hooks.ts",
    find: 'if (event === "preToolCall") return {',
    put: "if (false) return {",
    tests: [test],
    only: "is denied where their file did not load",
  },
];
