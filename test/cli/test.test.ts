import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { type Ended, folder, wasmhook, wasmhookOnTerminal } from "../support/cli.js";
import { sayingCommand } from "../support/commands.js";
import { componentFromWat, hookComponent } from "../support/components.js";
import { configGuest, constGuest, errGuest, grepGuest, logGuest, trapGuest } from "../support/guests.js";

const EXAMPLES = fileURLToPath(new URL("../../guest-examples/", import.meta.url));
const CALL = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: { command: "rm -rf /" } } };
const PROMPT = { event: "preGeneration", cwd: "/", prompt: "hello" };
const DENIED = { decision: "deny", reason: "no" };
const PROGRAM = await componentFromWat(
  sayingCommand({ stdout: '{"action":"deny","reason":"no"}', stderr: "seen" }),
);

let denies: Uint8Array;
let traps: Uint8Array;
beforeAll(async () => {
  denies = await hookComponent(grepGuest("rm -rf", '{"action":"deny","reason":"no"}'));
  traps = await hookComponent(trapGuest);
});

/** A folder with the module that denies `rm -rf`, and a call of it; other files are added, or replace those. */
function project(files: Record<string, string | Uint8Array | object> = {}): Promise<string> {
  const all = { "hook.wasm": denies, "events/call.json": CALL, ...files };
  const texts = Object.entries(all).map(([name, contents]) => {
    const plain = typeof contents === "string" || contents instanceof Uint8Array;
    return [name, plain ? contents : JSON.stringify(contents)] as const;
  });
  return folder(Object.fromEntries(texts));
}

function testIn(cwd: string, ...args: string[]): Promise<Ended> {
  return wasmhook(["test", ...args], { cwd, stdin: "" });
}

describe("wasmhook test: what it shows", () => {
  test("runs a module over the events beside it: decision, reason, fuel, memory, the module's size", async () => {
    const cwd = await project({ "events/call.expected.json": DENIED });
    const { exitCode, stdout, stderr } = await testIn(cwd, "hook.wasm");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const size = denies.length.toLocaleString("en");
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^hook\\.wasm {2}${size} bytes {2}sha256:[0-9a-f]{64}$`)),
      "ok        call",
      "  deny: no",
      expect.stringMatching(
        /^ {4}preToolCall\[0\] {2}wasm {2}hook\.wasm {2}deny {2}\([\d,]+ fuel, 64 KiB\)$/,
      ),
      "1 event: 1 ok",
      "",
    ]);
  });

  test("shows log lines, and the config that a module got", async () => {
    const logs = await testIn(await project({ "hook.wasm": await hookComponent(logGuest) }), "hook.wasm");
    expect(logs.stdout).toContain(`\n      info: ${JSON.stringify(CALL)}\n`);
    const cwd = await project({ "hook.wasm": await hookComponent(configGuest) });
    const configured = await testIn(cwd, "hook.wasm", "--config", '{"context":"of the config"}');
    expect(configured.stdout).toContain("  context: of the config\n");
  });

  test("runs a WASI command, as the agent's dialect has it", async () => {
    const cwd = await project({ "hook.wasm": PROGRAM });
    const { exitCode, stdout } = await testIn(cwd, "hook.wasm", "--no-times");
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\n {2}deny: no\n.*\n {6}info: seen\n/)]);
  });

  test("shows rewrites and what the user is told, and nothing of it raw", async () => {
    const guest = await hookComponent(
      constGuest(JSON.stringify({ input: { a: "\u001b[2J" }, notice: "x\u009by" })),
    );
    const { stdout } = await testIn(await project({ "hook.wasm": guest }), "hook.wasm");
    expect(stdout).toContain('  input: {"a":"\\u001b[2J"}\n  notice: x\\u{9b}y\n');
  });

  test("shows the names of files, and what differs, escaped", async () => {
    const cwd = await project({
      "events/\u001b[2J.json": CALL,
      "events/\u001b[2J.expected.json": { decision: "\u009b1m" },
    });
    const { exitCode, stdout } = await testIn(cwd, "hook.wasm");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("DIFFERS   \\u{1b}[2J\n");
    expect(stdout).toContain('-   "decision": "\\u{9b}1m"\n');
    expect(stdout).not.toMatch(/[^\n -~]/);
  });

  test("shows what nobody has written an expectation for as unchecked, which is no failure", async () => {
    const { exitCode, stdout } = await testIn(await project(), "hook.wasm");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\nunchecked call\n {2}deny: no\n[\s\S]*\n1 event: 1 unchecked\n$/);
  });

  test("runs every event of a folder, by name", async () => {
    const cwd = await project({ "more/b.json": CALL, "more/a.json": PROMPT, "more/notes.txt": "" });
    const { stdout } = await testIn(cwd, "hook.wasm", "--events", "more");
    expect(stdout.match(/^unchecked .*$/gm)).toEqual(["unchecked a", "unchecked b"]);
  });

  test("prints the same bytes for the same files, as text and as JSON", async () => {
    const cwd = await project({ "events/p.json": PROMPT, "events/call.expected.json": { decision: "none" } });
    for (const args of [[], ["--json"]]) {
      const [one, other] = [await testIn(cwd, "hook.wasm", ...args), await testIn(cwd, "hook.wasm", ...args)];
      expect(one.stdout).toBe(other.stdout);
      expect(one.stdout).not.toMatch(/ ms|durationMs/);
    }
  });

  test("on a terminal it has colour, and times unless they are not wanted", async () => {
    const cwd = await project({ "events/call.expected.json": DENIED });
    const shown = await wasmhookOnTerminal(["test", "hook.wasm"], { cwd });
    expect(shown.stdout).toContain("\u001b[32mok       \u001b[39m call\n");
    expect(shown.stdout).toMatch(/\([\d.]+ ms, [\d,]+ fuel, 64 KiB\)/);
    const without = await wasmhookOnTerminal(["test", "hook.wasm", "--no-times"], { cwd });
    expect(without.stdout).not.toContain(" ms");
  });

  test("--json is one document with all of it", async () => {
    const cwd = await project({ "events/call.expected.json": DENIED, "events/p.json": PROMPT });
    const { exitCode, stdout } = await testIn(cwd, "hook.wasm", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: true,
      modules: [{ wasm: "hook.wasm", bytes: denies.length }],
      events: [
        {
          name: "call",
          eventFile: "events/call.json",
          verdict: "met",
          outcome: { ...DENIED, runs: [{ hook: "preToolCall[0]", fuel: expect.any(Number) }] },
        },
        { name: "p", verdict: "unchecked", outcome: { decision: "none" } },
      ],
    });
  });
});

describe("wasmhook test: what is expected", () => {
  test("exits with 1 where something else came, and shows the difference line by line", async () => {
    const expected = { decision: "deny", reason: "never", notices: [] };
    const { exitCode, stdout, stderr } = await testIn(
      await project({ "events/call.expected.json": expected }),
      "hook.wasm",
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    expect(stdout).toContain(
      [
        "  not as in events/call.expected.json (- expected, + came):",
        "      {",
        '        "decision": "deny",',
        '    -   "notices": [],',
        '    -   "reason": "never"',
        '    +   "reason": "no"',
        "      }",
        "1 event: 1 DIFFERS",
      ].join("\n"),
    );
  });

  test("--json says what was expected", async () => {
    const cwd = await project({ "events/call.expected.json": { decision: "none" } });
    const { exitCode, stdout } = await testIn(cwd, "hook.wasm", "--json");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: false,
      events: [{ verdict: "differs", expected: { decision: "none" }, outcome: DENIED }],
    });
  });

  test("takes keys in any order", async () => {
    const cwd = await project({ "events/call.expected.json": '{"reason":"no","decision":"deny"}' });
    expect((await testIn(cwd, "hook.wasm")).exitCode).toBe(0);
  });

  test("--event runs one, --expect names what it should come to", async () => {
    const cwd = await project({ "events/p.json": PROMPT, "wanted.json": { decision: "none" } });
    const args = ["hook.wasm", "--event", "events/call.json", "--expect", "wanted.json"];
    const { exitCode, stdout } = await testIn(cwd, ...args);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("not as in wanted.json");
    expect(stdout).toMatch(/\n1 event: 1 DIFFERS\n$/);
  });

  test("--update writes what came, and the next run is as expected", async () => {
    const cwd = await project({ "events/p.json": PROMPT, "events/p.expected.json": "no JSON" });
    const updated = await testIn(cwd, "hook.wasm", "--update");
    expect(updated.exitCode).toBe(0);
    expect(updated.stdout).toMatch(/\n2 events: 2 updated\n$/);
    const written = (name: string) => readFile(join(cwd, `events/${name}.expected.json`), "utf8");
    expect(await written("call")).toBe('{\n  "decision": "deny",\n  "reason": "no"\n}\n');
    expect(await written("p")).toBe('{\n  "decision": "none"\n}\n');
    const again = await testIn(cwd, "hook.wasm");
    expect(again.stdout).toMatch(/\n2 events: 2 ok\n$/);
  });

  test("--update leaves a file as it is that says the same", async () => {
    const text = '{ "reason": "no", "decision": "deny" }';
    const cwd = await project({ "events/call.expected.json": text });
    await testIn(cwd, "hook.wasm", "--update");
    expect(await readFile(join(cwd, "events/call.expected.json"), "utf8")).toBe(text);
  });

  test("a hook that fails unexpectedly is a failure, and --update does not write it down", async () => {
    const cwd = await project({ "hook.wasm": traps });
    for (const args of [[], ["--update"]]) {
      const { exitCode, stdout } = await testIn(cwd, "hook.wasm", ...args);
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/\nFAILED +call\n[\s\S]* {2}failed: .* \[trap\]\n1 event: 1 FAILED\n$/);
      await expect(readFile(join(cwd, "events/call.expected.json"))).rejects.toThrow("ENOENT");
    }
  });

  test("a hook that fails cannot write lines of the report", async () => {
    const cwd = await project({
      "hook.wasm": await hookComponent(errGuest("boom\nok        call\n1 event: 1 ok")),
    });
    const { stdout } = await testIn(cwd, "hook.wasm");
    expect(stdout).not.toMatch(/^(ok|1 event: 1 ok)/m);
    expect(stdout).toContain("1 event: 1 FAILED\n");
  });

  test("an expectation that is nested too deep is bad, and named", async () => {
    const deep = `{"reason":${"[".repeat(2_500)}${"]".repeat(2_500)}}`;
    const cwd = await project({ "events/call.expected.json": deep });
    const { exitCode, stdout } = await testIn(cwd, "hook.wasm");
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/nested deeper .*\[expected-unreadable\]/)]);
  });

  test("a failure that is expected is none", async () => {
    const cwd = await project({
      "hook.wasm": traps,
      "agent.yaml": "hooks:\n  preToolCall:\n    - wasm: hook.wasm\n      onError: fail\n",
    });
    const { stdout } = await testIn(cwd, "agent.yaml", "--json");
    const { events } = JSON.parse(stdout) as { events: [{ outcome: { reason: string } }] };
    const expected = { decision: "deny", reason: events[0].outcome.reason };
    await writeFile(join(cwd, "events/call.expected.json"), JSON.stringify(expected));
    expect((await testIn(cwd, "agent.yaml")).exitCode).toBe(0);
  });

  test.each(["no-force-push", "redact-secrets"])("the example %s is as its events expect", async (name) => {
    const { exitCode, stdout } = await testIn(EXAMPLES, join(name, "agent.yaml"));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\n(\d+) events: \1 ok\n$/);
  });
});

describe("wasmhook test: which hook", () => {
  const YAML = `hooks:
  preToolCall:
    - command: "echo '{\\"action\\":\\"ask\\"}'"
    - wasm: ./hook.wasm
    - matcher: ^other$
      wasm: ./hook.wasm
`;

  test("runs all hooks of a config file, as an agent would", async () => {
    const { stdout } = await testIn(await project({ "agent.yaml": YAML }), "agent.yaml");
    expect(stdout.match(/^ {4}preToolCall\[\d\] {2}\w+/gm)).toEqual([
      "    preToolCall[0]  command",
      "    preToolCall[1]  wasm",
    ]);
  });

  test.each([
    ["its number", "2", /^ {4}preToolCall\[1\] {2}wasm/m],
    ["its id", "preToolCall[0]", /^ {4}preToolCall\[0\] {2}command/m],
    ["its label", `echo '{"action":"ask"}'`, /^ {4}preToolCall\[0\] {2}command/m],
    ["its number, where it is not for the event", "3", /^ {2}no hook is for this event$/m],
  ])("runs only the one that is named by %s", async (_, hook, shows) => {
    const { exitCode, stdout } = await testIn(
      await project({ "agent.yaml": YAML }),
      "agent.yaml",
      "--hook",
      hook,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(shows);
    expect(stdout.match(/^ {4}preToolCall/gm) ?? []).toHaveLength(hook === "3" ? 0 : 1);
  });

  test.each([
    ["4", "there is no hook 4: use 1 to 3, or one of preToolCall[0], preToolCall[1], preToolCall[2] [usage]"],
    ["./hook.wasm", "2 hooks are called ./hook.wasm: use one of preToolCall[1], preToolCall[2] [usage]"],
  ])("says what there is where --hook %s names no one hook", async (hook, says) => {
    const { exitCode, stderr } = await testIn(
      await project({ "agent.yaml": YAML }),
      "agent.yaml",
      "--hook",
      hook,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(says);
  });

  test("takes the events of mnemoai in its spelling", async () => {
    const cwd = await project({
      "hooks.json": { hooks: { PreToolUse: [{ hooks: [{ type: "wasm", wasm: "hook.wasm" }] }] } },
      "events/call.json": {
        hook_event_name: "PreToolUse",
        cwd: "/",
        tool_name: "execute_bash",
        tool_input: { command: "rm -rf /" },
      },
      "events/call.expected.json": DENIED,
    });
    expect((await testIn(cwd, "hooks.json")).exitCode).toBe(0);
    expect((await testIn(cwd, "hook.wasm", "--dialect", "mnemoai")).exitCode).toBe(0);
  });

  const SOURCE = `import { Decision, Event, deny } from "wasmhook/guest";
export function handle(event: Event): Decision | null { return deny("built"); }
`;

  test("builds an AssemblyScript source, and leaves no module", async () => {
    const cwd = await project({
      "hook.ts": SOURCE,
      "events/call.expected.json": { decision: "deny", reason: "built" },
    });
    const { exitCode, stdout } = await testIn(cwd, "hook.ts");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^hook\.ts {2}[\d,]+ bytes/);
    expect(await readFile(join(cwd, "hook.wasm"))).toEqual(Buffer.from(denies));
  });

  test("shows the compiler's words where a source does not compile", async () => {
    const cwd = await project({ "hook.ts": SOURCE.replace('deny("built")', "event") });
    const { exitCode, stdout, stderr } = await testIn(cwd, "hook.ts");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(
      /ERROR TS2322: [\s\S]*wasmhook test: hook\.ts does not compile.* \[build-failed\]\n$/,
    );
  });
});

describe("wasmhook test: bad files and bad usage", () => {
  test.each<[what: string, files: Record<string, string>, says: RegExp]>([
    [
      "an event that is no JSON",
      { "events/a.json": "{" },
      /BAD +a\n {2}events\/a\.json: the event is not JSON at line 1, /,
    ],
    [
      "an event of no known kind",
      { "events/a.json": '{"event":"x"}' },
      /BAD +a\n {2}events\/a\.json: .*\[event-unknown\]/,
    ],
    [
      "an event that is no file",
      { "events/a.json/x": "" },
      /BAD +a\n {2}cannot read the event from events\/a\.json: /,
    ],
    [
      "an expectation that is no JSON",
      { "events/call.expected.json": "nope" },
      /BAD +call\n {2}events\/call\.expected\.json is not JSON at line 1, .* \[expected-unreadable\]/,
    ],
    [
      "an expectation that is no object",
      { "events/call.expected.json": "[]" },
      /BAD +call\n {2}events\/call\.expected\.json is not a JSON object: /,
    ],
  ])("names %s, runs the others, and exits with 1", async (_, files, says) => {
    const cwd = await project({
      ...files,
      "events/good.json": PROMPT,
      "events/good.expected.json": '{"decision":"none"}',
    });
    const { exitCode, stdout } = await testIn(cwd, "hook.wasm");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(says);
    expect(stdout).toContain("\nok        good\n");
    expect(stdout).toContain("1 BAD");
  });

  test.each<[what: string, files: Record<string, string | Uint8Array>, args: string[], says: string]>([
    [
      "an expectation without its event",
      { "events/b.expected.json": "{}" },
      ["hook.wasm"],
      "events/b.expected.json has no event beside it: add b.json, or remove it [event-unreadable]",
    ],
    [
      "a folder without events",
      { "none/x.txt": "" },
      ["hook.wasm", "--events", "none"],
      "there is no event in none",
    ],
    [
      "no folder",
      {},
      ["hook.wasm", "--events", "no"],
      "give --event FILE or --events DIR [event-unreadable]",
    ],
    [
      "no hook",
      {},
      [],
      "give one HOOK: a .wasm, a source or a config file [usage] (see wasmhook test --help)",
    ],
    ["two hooks", {}, ["hook.wasm", "hook.wasm"], "give one HOOK"],
    [
      "a module that is not there",
      {},
      ["no.wasm"],
      "no.wasm: correct the path, or build the module [wasm-missing]",
    ],
    ["no module", { "text.wasm": "text" }, ["text.wasm"], "The file is no WebAssembly but is text"],
    ["a config file with a problem", { "a.yaml": "hooks:\n  x: []\n" }, ["a.yaml"], "a.yaml:2:3: "],
    ["both kinds of events", {}, ["hook.wasm", "--event", "a", "--events", "b"], "not both"],
    ["--expect without --event", {}, ["hook.wasm", "--expect", "a"], "--expect is for one --event FILE"],
    ["--hook of a module", {}, ["hook.wasm", "--hook", "1"], "hook.wasm is one hook: leave out --hook"],
    [
      "--config of a WASI command",
      { "hook.wasm": PROGRAM },
      ["hook.wasm", "--config", "1"],
      "hook.wasm is a WASI command, which cannot read a config: leave out --config",
    ],
    ["--config of a config file", { "a.yaml": "" }, ["a.yaml", "--config", "1"], "leave out --config"],
    ["a --config that is no JSON", {}, ["hook.wasm", "--config", "{"], "--config is not JSON"],
    ["an unknown option", {}, ["hook.wasm", "--expected", "x"], "did you mean --expect? [usage]"],
  ])("exits with 1 and what to do for %s", async (_, files, args, says) => {
    const { exitCode, stdout, stderr } = await testIn(await project(files), ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("an mnemoai file with a problem fails the test, though the rest of it runs", async () => {
    const cwd = await project({
      "hooks.json": {
        hooks: { PreToolUse: [{ hooks: [{ type: "wasm", wasm: "hook.wasm" }, { type: "x" }] }] },
      },
      "events/call.json": { hook_event_name: "PreToolUse", cwd: "/", tool_name: "a", tool_input: {} },
    });
    const { exitCode, stdout, stderr } = await testIn(cwd, "hooks.json");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("1 event: 1 unchecked");
    expect(stderr).toMatch(/^hooks\.json:/);
  });

  test("says where it cannot write", async () => {
    const cwd = await project({ file: "" });
    const args = ["hook.wasm", "--event", "events/call.json", "--expect", "file/x.json", "--update"];
    const { exitCode, stdout } = await testIn(cwd, ...args);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/file\/x\.json cannot be written: .* \[file-unwritable\]/);
  });
});

describe("wasmhook test: while it runs", () => {
  test("says on stderr how far it is, where it takes over a second", async () => {
    const cwd = await project({ "agent.yaml": "hooks:\n  preToolCall:\n    - command: sleep 3\n" });
    const { exitCode, stderr } = await testIn(cwd, "agent.yaml");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "ran 0 of 1 events\n" });
  });

  test("--watch runs again when a file changes, says what is wrong meanwhile, and ends on Ctrl-C", async () => {
    const cwd = await project();
    const answers = await hookComponent(constGuest('{"context":"changed"}'));
    let seen = "";
    const steps: [when: string, then: () => Promise<void>][] = [
      ["deny: no", () => writeFile(join(cwd, "hook.wasm"), "broken")],
      ["[module-refused]", () => writeFile(join(cwd, "hook.wasm"), answers)],
      // A source in any language, though this run has none.
      ["context: changed", () => writeFile(join(cwd, "hook.mjs"), "")],
      ["context: changed", () => writeFile(join(cwd, "events/new.json"), JSON.stringify(PROMPT))],
    ];
    const { exitCode, stdout } = await wasmhook(["test", "hook.wasm", "--watch"], {
      cwd,
      started(child) {
        const next = (data: Buffer) => {
          seen += data;
          if (steps[0] === undefined) {
            if (/\n2 events: .*\n/.test(seen)) child.kill("SIGINT");
          } else if (seen.includes(steps[0][0]) && seen.endsWith("Ctrl-C ends\n")) {
            seen = "";
            void steps.shift()?.[1]();
          }
        };
        child.stdout?.on("data", next);
        child.stderr?.on("data", next);
      },
    });
    expect(exitCode).toBe(130);
    expect(stdout).toContain("unchecked new");
  });
});
