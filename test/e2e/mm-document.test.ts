import { readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookEvent } from "#src/index";
import { folder, program, runEvent, wasmhook } from "../support/cli.js";
import { grepGuest, loopGuest, trapGuest } from "../support/guests.js";
import { component, KINDS, type Kind, load, outcomeOf } from "./hooks.js";

/** The example of the mm hook guide: the script, and the agent's file that declares it. */
const NO_FORCE_PUSH = `// hooks/no-force-push.js
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const command = input.tool.input.command || "";

if (/\\bgit\\s+push\\b.*(--force|-f\\b)/.test(command)) {
  console.log(JSON.stringify({ action: "deny", reason: "force-push is not allowed in this project" }));
}
`;
const AGENT = `hooks:
  preToolCall:
    - matcher: ^bash$
      command: node "$MM_CONFIG_DIR/hooks/no-force-push.js"
      onError: fail
`;
const REASON = "force-push is not allowed in this project";
const DENIAL = { action: "deny", reason: REASON };
/** The input of the guide's third step. */
const FORCED =
  '{"event":"preToolCall","cwd":"/tmp","tool":{"name":"bash","input":{"command":"git push -f origin main"}}}';

const call = (command: string, name = "bash"): HookEvent => ({
  event: "preToolCall",
  cwd: tmpdir(),
  tool: { name, input: { command } },
});

/** The example as it stands, or with a module in place of the script. */
async function example(kind: Kind, { code, line = "" }: { code?: string; line?: string } = {}) {
  if (kind === "command") {
    return folder({ "agent.yaml": AGENT + line, "hooks/no-force-push.js": code ?? NO_FORCE_PUSH });
  }
  return folder({
    "agent.yaml": AGENT.replace(/command: .*/, "wasm: hooks/no-force-push.wasm") + line,
    "hooks/no-force-push.wasm": await component(
      code ?? grepGuest('"command":"git push -f', JSON.stringify(DENIAL)),
    ),
  });
}

/** A PATH on which there is a shell, and no Node. */
async function pathWithoutNode(): Promise<string> {
  const directory = await folder();
  await symlink("/bin/sh", join(directory, "sh"));
  return directory;
}

it("the hook can be tried without the agent: fed the input, it prints its decision", async () => {
  const directory = await example("command");
  const options = { cwd: directory };
  const forced = await program("node", ["hooks/no-force-push.js"], { ...options, stdin: FORCED });
  expect(forced.stdout).toBe(`{"action":"deny","reason":"${REASON}"}\n`);
  const plain = await program("node", ["hooks/no-force-push.js"], {
    ...options,
    stdin: FORCED.replace("push -f", "push"),
  });
  expect(plain).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

it("the input of that trial is what the hook reads on stdin: one JSON object", async () => {
  const directory = await folder({
    "agent.yaml": 'hooks:\n  preToolCall:\n    - command: cat > "$MM_CONFIG_DIR/seen.json"\n',
  });
  const { exitCode } = await wasmhook(["run", "--config", join(directory, "agent.yaml")], { stdin: FORCED });
  expect(exitCode).toBe(0);
  expect(JSON.parse(await readFile(join(directory, "seen.json"), "utf8"))).toEqual(JSON.parse(FORCED));
});

describe.each(KINDS)("the guide's example as a %s hook", (kind) => {
  it("refuses the dangerous tool call, and the reason is there for the model to read", async () => {
    const directory = await example(kind);
    const { exitCode, outcome, stderr } = await runEvent(
      join(directory, "agent.yaml"),
      JSON.parse(FORCED) as object,
    );
    expect(outcome).toMatchObject({ decision: "deny", reason: REASON, notices: [] });
    expect(outcome.runs).toMatchObject([{ hook: "preToolCall[0]", runner: kind, decided: "deny" }]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `${REASON}\n` });
  });

  it("lets the turn go on by printing nothing, and is limited to the bash tool by its matcher", async () => {
    const hooks = await load(join(await example(kind), "agent.yaml"));
    const plain = await hooks.run(call("git push origin main"));
    expect(plain).toMatchObject({ decision: "none", notices: [], runs: [{ decided: "nothing" }] });
    const other = await hooks.run(call("git push -f origin main", "write_file"));
    expect(other).toEqual({ decision: "none", notices: [], runs: [] });
  });

  it("is found whatever directory the agent is started from", async () => {
    const directory = await example(kind);
    const elsewhere = await folder({ "hooks/no-force-push.js": "process.exit(1)" });
    const event = { ...call("git push -f"), cwd: elsewhere };
    const [fromInside, fromElsewhere] = await Promise.all([
      runEvent("agent.yaml", event, { cwd: directory }),
      runEvent(join(directory, "agent.yaml"), event, { cwd: elsewhere }),
    ]);
    expect([fromInside.outcome.reason, fromElsewhere.outcome.reason]).toEqual([REASON, REASON]);
  });

  it("denies the call when the hook is broken, as onError: fail has it", async () => {
    const directory = await example(kind, { code: kind === "command" ? "const input = ;" : trapGuest });
    const outcome = await outcomeOf(join(directory, "agent.yaml"), call("ls"));
    expect(outcome.decision).toBe("deny");
    expect(outcome.reason).toMatch(kind === "command" ? /exited with 1: .*Unexpected token/s : /unreachable/);
    expect(outcome.runs).toMatchObject([{ decided: "failed" }]);
  });

  it("denies the call when the hook's time is up, as onError: fail has it", async () => {
    const directory = await example(kind, {
      code: kind === "command" ? "for (;;);" : loopGuest,
      line: `      timeout: 500ms\n${kind === "wasm" ? "      limits: { fuel: 1000000G }\n" : ""}`,
    });
    const outcome = await outcomeOf(join(directory, "agent.yaml"), call("ls"));
    expect(outcome.decision).toBe("deny");
    expect(outcome.reason).toContain("500 ms");
    expect(outcome.runs).toMatchObject([{ error: { code: "deadline" } }]);
  });
});

it("the command is denied when Node is missing, as onError: fail has it", async () => {
  const directory = await example("command");
  const env = { PATH: await pathWithoutNode() };
  const { exitCode, outcome } = await runEvent(join(directory, "agent.yaml"), call("ls"), { env });
  expect({ exitCode, decision: outcome.decision }).toEqual({ exitCode: 2, decision: "deny" });
  expect(outcome.reason).toMatch(/exited with 127: .*node/);
});

it("the module needs nothing installed: no Node and no shell on the PATH", async () => {
  const directory = await example("wasm");
  const env = { PATH: await folder() };
  const { exitCode, outcome } = await runEvent(join(directory, "agent.yaml"), JSON.parse(FORCED) as object, {
    env,
  });
  expect({ exitCode, reason: outcome.reason }).toEqual({ exitCode: 2, reason: REASON });
});

it("the hooks that were loaded are listed", async () => {
  const directory = await example("command");
  const { exitCode, stdout, stderr } = await wasmhook(["list", "--config", join(directory, "agent.yaml")], {
    stdin: "",
    env: { HOME: directory },
  });
  expect(stdout).toBe(`Hooks
  config: ~/agent.yaml

  preToolCall
    ^bash$               node "$MM_CONFIG_DIR/hooks/no-force-push.js"  (30s)

  1 hook(s), read at startup — restart to apply an edit.
`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});
