import { describe, expect, test } from "vitest";
import { fixOfMistyped } from "#src/config/mistyped-key";
import { load } from "./support.js";

const OURS = ["hooks", "limits", "displayHooks"];

/** What agents' files really have at their top, and words that are near ours without being meant so. */
const OF_AGENTS = [
  ...[
    "model",
    "models",
    "provider",
    "prompt",
    "prompts",
    "system",
    "instructions",
    "tools",
    "toolsets",
    "books",
  ],
  ...["hosts", "host", "home", "http", "headers", "history", "help", "handoffs", "links", "lists", "limiter"],
  ...[
    "lint",
    "linters",
    "lines",
    "license",
    "logs",
    "looks",
    "locks",
    "display",
    "displayName",
    "description",
  ],
  ...["disabled", "mcp", "mcpServers", "env", "name", "version", "yolo", "skills", "agents", "subagents"],
  ...[
    "temperature",
    "maxTokens",
    "permissions",
    "x-hooks",
    "_hooks",
    "webhooks",
    "hook_scripts",
    "rateLimits",
  ],
];

describe("a key at the top of an mm file", () => {
  test.each([
    ["hook", "hooks"],
    ["Hooks", "hooks"],
    ["HOOKS", "hooks"],
    ["hoks", "hooks"],
    ["hoosk", "hooks"],
    ["hookss", "hooks"],
    ["limit", "limits"],
    ["Limits", "limits"],
    ["limts", "limits"],
    ["limist", "limits"],
    ["display_hooks", "displayHooks"],
    ["display-hooks", "displayHooks"],
    ["displayhooks", "displayHooks"],
    ["displayHook", "displayHooks"],
    ["dispalyHooks", "displayHooks"],
    ["disply_hook", "displayHooks"],
  ])("of %s is taken for %s", (key, meant) => {
    expect(fixOfMistyped(key, OURS)).toBe(`did you mean "${meant}"?`);
  });

  test.each(["preToolCall", "pre_tool_call", "postgeneration"])("of %s belongs under hooks", (key) => {
    expect(fixOfMistyped(key, OURS)).toMatch(
      /^events stand under "hooks": move it there, as "(pre|post)[A-Z]/,
    );
  });

  test.each([...OURS, ...OF_AGENTS, ""])("of %s is none of that", (key) => {
    expect(fixOfMistyped(key, OURS)).toBeUndefined();
  });

  test("that is mistyped keeps the file from loading", async () => {
    const guard = "\n  preToolCall:\n    - command: x\n";
    for (const key of ["hook", "Hooks"]) {
      expect(await load("agent.yaml", `model: m\n${key}:${guard}`)).toMatchObject({
        loaded: false,
        hooks: [],
        problems: [
          {
            code: "unknown-key",
            line: 2,
            column: 1,
            message: `the key "${key}" has no effect here: did you mean "hooks"?`,
          },
        ],
      });
    }
    expect(await load("agent.yaml", `books: 1\ntools: {}\nhooks:${guard}`)).toMatchObject({ problems: [] });
  });
});
