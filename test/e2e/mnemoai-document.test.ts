import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { folder, runEvent, wasmhook } from "../support/cli.js";
import { constGuest, grepGuest } from "../support/guests.js";
import { component, KINDS, type Kind, load } from "./hooks.js";
import { callEvent, decoded } from "./mnemoai-events.js";
import { onPath, withPython } from "./tools.js";

/** The examples of the mnemoai hook document, as they stand there. */
const FORMAT = `{
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "fs_write",
        "hooks": [
          {
            "type": "command",
            "command": "my-formatter-wrapper.sh",
            "timeout": 30
          }
        ]
      }
    ]
  }
}`;
const BLOCK = `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "fs_write",
        "hooks": [
          {
            "type": "command",
            "command": "python -c \\"import json,sys; p=json.load(sys.stdin).get('tool_input',{}).get('path',''); sys.exit(0) if '/secrets/' not in p else (sys.stderr.write('Blocked by a local hook.'), sys.exit(2))\\"",
            "timeout": 10
          }
        ]
      }
    ]
  }
}`;
const APPROVE = `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "execute_bash",
        "hooks": [
          {
            "type": "command",
            "command": "python -c \\"import json,sys; c=json.load(sys.stdin).get('tool_input',{}).get('command','').strip(); print(json.dumps({'decision':'allow'}) if c.startswith(('git status','git log','git diff')) else '')\\"",
            "timeout": 10
          }
        ]
      }
    ]
  }
}`;
const HINT = `{
  "hooks": {
    "PostToolUseFailure": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "echo '{\\"additionalContext\\": \\"Re-read the file before retrying — it may have changed on disk.\\"}'",
            "timeout": 10
          }
        ]
      }
    ]
  }
}`;

/** The same file with a module in place of the command. */
function withModule(example: string): string {
  return example
    .replace('"type": "command"', '"type": "wasm"')
    .replace(/"command": ".*"/, '"wasm": "hook.wasm"');
}

async function exampleFile(kind: Kind, example: string, guest: string): Promise<string> {
  const directory = await folder({
    "hooks.json": kind === "command" ? example : withModule(example),
    "hook.wasm": await component(guest),
  });
  return join(directory, "hooks.json");
}

describe.each(KINDS)("the examples of the document, each a %s hook:", (kind) => {
  beforeEach(async ({ skip }) => {
    skip(kind === "command" && !onPath("python3"), "python3 is not on the PATH");
    vi.stubEnv("PATH", (await withPython()).PATH);
  });
  afterEach(() => vi.unstubAllEnvs());

  it("block writes under a directory", async () => {
    const denial = { action: "deny", reason: "Blocked by a local hook." };
    const file = await exampleFile(kind, BLOCK, grepGuest("/secrets/", JSON.stringify(denial)));
    const secret = { path: "/repo/secrets/key" };
    const blocked = await runEvent(file, callEvent("PreToolUse", "fs_write", secret));
    expect(blocked).toMatchObject({
      exitCode: 2,
      stderr: "Blocked by a local hook.\n",
      outcome: { decision: "deny", reason: "Blocked by a local hook.", notices: [] },
    });
    const hooks = await load(file);
    const written = await hooks.run(decoded("PreToolUse", "fs_write", { path: "/repo/app.py" }));
    expect(written).toMatchObject({ decision: "none", notices: [], runs: [{ decided: "nothing" }] });
    const read = await hooks.run(decoded("PreToolUse", "fs_read", secret));
    expect(read).toEqual({ decision: "none", notices: [], runs: [] });
  });

  it("stop confirming read-only git commands", async () => {
    const guest = grepGuest('"command":"git status', JSON.stringify({ action: "allow" }));
    const hooks = await load(await exampleFile(kind, APPROVE, guest));
    const status = await hooks.run(decoded("PreToolUse", "execute_bash", { command: "git status -s" }));
    const push = await hooks.run(decoded("PreToolUse", "execute_bash", { command: "git push" }));
    expect(status).toMatchObject({ decision: "allow", notices: [] });
    expect(push).toMatchObject({ decision: "none", notices: [], runs: [{ decided: "nothing" }] });
  });

  it("give the model something to act on when a tool fails", async () => {
    const hint = "Re-read the file before retrying — it may have changed on disk.";
    const file = await exampleFile(kind, HINT, constGuest(JSON.stringify({ context: hint })));
    const hooks = await load(file);
    const failed = await hooks.run(decoded("PostToolUseFailure", "fs_write", {}, "no such file"));
    expect(failed).toMatchObject({ decision: "none", context: hint, notices: [] });
    const succeeded = await hooks.run(decoded("PostToolUse", "fs_write", {}, "written"));
    expect(succeeded).toEqual({ decision: "none", notices: [], runs: [] });
  });
});

it("the example of the file runs its formatter after every write, from the PATH", async () => {
  const bin = await folder({ "my-formatter-wrapper.sh": "#!/bin/sh\necho formatted 1 file\n" });
  const file = join(await folder({ "hooks.json": FORMAT }), "hooks.json");
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { exitCode, outcome } = await runEvent(
    file,
    callEvent("PostToolUse", "fs_write", { path: "a.py" }, "written"),
    { env },
  );
  expect(outcome).toMatchObject({
    decision: "none",
    notices: [{ hook: "PostToolUse[0].hooks[0]", kind: "info", text: "formatted 1 file" }],
  });
  expect(exitCode).toBe(0);
});

describe("/hooks, which is wasmhook list,", () => {
  const command = JSON.parse(BLOCK).hooks.PreToolUse[0].hooks[0].command as string;
  const loaded = {
    hooks: {
      PreToolUse: [{ matcher: "fs_write", hooks: [{ type: "command", command, timeout: 10 }] }],
      PostToolUse: [{ matcher: "fs_write", hooks: [{ type: "command", command: 'ruff format "$(…)"' }] }],
    },
  };

  /** What is listed of the file that the document names, in a home of its own. */
  async function listed(contents: object) {
    const home = await folder({
      ".mnemoai/hooks/guard.wasm": await component(constGuest("{}")),
      ".mnemoai/hooks/hooks.json": JSON.stringify(contents, null, 2),
    });
    const file = join(home, ".mnemoai/hooks/hooks.json");
    return wasmhook(["list", "--config", file], { stdin: "", env: { HOME: home } });
  }

  it("shows what is loaded, to the letter of the document", async () => {
    const { exitCode, stdout, stderr } = await listed(loaded);
    expect(stdout).toBe(`Tool hooks
  config: ~/.mnemoai/hooks/hooks.json

  PreToolUse
    fs_write             python -c "import json,sys; p=json.load(sys.stdi…  (10s)

  PostToolUse
    fs_write             ruff format "$(…)"  (30s)

  2 hook(s), read at startup — restart to apply an edit.
`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  it("shows a wasm hook with its module, and its fuel in place of a timeout", async () => {
    const { stdout } = await listed({
      hooks: {
        PreToolUse: [{ hooks: [{ type: "wasm", wasm: "guard.wasm", limits: { fuel: "5M" } }] }],
      },
    });
    expect(stdout.split("\n")).toContain("    *                    guard.wasm  (5,000,000 fuel)");
  });

  it("reports a hook that does not parse, and still lists the rest of the file", async () => {
    const { PreToolUse, PostToolUse } = loaded.hooks;
    const { exitCode, stdout } = await listed({
      hooks: { PreToolUse: [...PreToolUse, { hooks: [{ type: "comand", command: "x" }] }], PostToolUse },
    });
    const lines = stdout.split("\n");
    expect(lines).toContain("  2 hook(s), read at startup — restart to apply an edit.");
    expect(lines.filter((line) => line.startsWith("  ! "))).toEqual([
      expect.stringMatching(/hooks\.json:\d+:\d+: .*"comand".*did you mean "command"\?/),
    ]);
    expect(exitCode).toBe(0);
  });

  it("shows no hooks of an empty file", async () => {
    expect((await listed({})).stdout).toContain("\n  0 hook(s), ");
  });
});
