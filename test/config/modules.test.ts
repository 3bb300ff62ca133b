import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, open, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "#src/config/load-config";
import { componentFromWat, hookComponent, hookWit, worldComponent } from "../support/components.js";
import { constGuest, guest } from "../support/guests.js";
import { folder, load, places } from "./support.js";

const GUARD = await hookComponent(constGuest("{}"));
const SHA256 = createHash("sha256").update(GUARD).digest("hex");

/** One hook with this path, written in line 3, and these further lines. */
function withWasm(path: string, ...lines: string[]): string {
  return `hooks:\n  preToolCall:\n    - wasm: ${path}\n${lines.map((line) => `      ${line}\n`).join("")}`;
}

describe("the module of a wasm hook", () => {
  test("is read, with its digest, from the directory of the config file", async () => {
    const directory = await folder({ "guard.wasm": GUARD, "agent.yaml": withWasm("guard.wasm") });
    const { hooks, problems } = await loadConfig(join(directory, "agent.yaml"));
    expect(problems).toEqual([]);
    expect(hooks).toMatchObject([
      { runner: { kind: "wasm", wasm: "guard.wasm", file: join(directory, "guard.wasm"), sha256: SHA256 } },
    ]);
    expect(hooks[0]?.runner.kind === "wasm" && Buffer.compare(hooks[0].runner.bytes, GUARD)).toBe(0);
  });

  test.each([
    ["$MM_CONFIG_DIR/guard.wasm"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the config file
    ["${MM_CONFIG_DIR}/guard.wasm"],
    ["./sub/../guard.wasm"],
  ])("is found by %s", async (path) => {
    const directory = await folder({ "guard.wasm": GUARD, "agent.yaml": withWasm(path) });
    const { hooks } = await loadConfig(join(directory, "agent.yaml"));
    expect(hooks).toMatchObject([{ runner: { wasm: path, file: join(directory, "guard.wasm") } }]);
  });

  test("is found by an absolute path, and by one from the user's home", async () => {
    const directory = await folder({ "guard.wasm": GUARD });
    const file = join(directory, "guard.wasm");
    for (const path of [file, `~/${relative(homedir(), file)}`]) {
      await writeFile(join(directory, "agent.yaml"), withWasm(path));
      expect(await loadConfig(join(directory, "agent.yaml"))).toMatchObject({
        hooks: [{ runner: { file } }],
      });
    }
  });

  test("is found in directories whose names look like replacement patterns", async () => {
    const directory = join(await folder({}), "$& $1 $MM_CONFIG_DIR");
    await mkdir(directory);
    await writeFile(join(directory, "guard.wasm"), GUARD);
    await writeFile(join(directory, "agent.yaml"), withWasm("$MM_CONFIG_DIR/guard.wasm"));
    expect((await loadConfig(join(directory, "agent.yaml"))).problems).toEqual([]);
  });

  test("has no other variables in its path, and in a hooks.json none at all", async () => {
    expect(
      places(await load("agent.yaml", withWasm("$MM_CONFIG_DIRS/guard.wasm"), { "guard.wasm": GUARD })),
    ).toEqual(["3:7 wasm-missing preToolCall[0]"]);
    const json = '{"PreToolUse": [{"hooks": [{"type": "wasm", "wasm": "$MM_CONFIG_DIR/guard.wasm"}]}]}';
    expect(places(await load("hooks.json", json, { "guard.wasm": GUARD }))).toEqual([
      "1:45 wasm-missing PreToolUse[0].hooks[0]",
    ]);
  });

  test("is read once, however many hooks name it", async () => {
    const text =
      "hooks: {preToolCall: [{wasm: guard.wasm}, {wasm: ./guard.wasm}], postToolCall: [{wasm: guard.wasm}]}";
    const { hooks } = await load("agent.yaml", text, { "guard.wasm": GUARD });
    const bytes = new Set(hooks.map(({ runner }) => runner.kind === "wasm" && runner.bytes));
    expect([hooks.length, bytes.size]).toEqual([3, 1]);
  });

  test("is what it was when the config was read", async () => {
    const directory = await folder({ "guard.wasm": GUARD, "agent.yaml": withWasm("guard.wasm") });
    const { hooks } = await loadConfig(join(directory, "agent.yaml"));
    await writeFile(join(directory, "guard.wasm"), "something else");
    expect(
      hooks[0]?.runner.kind === "wasm" && createHash("sha256").update(hooks[0].runner.bytes).digest("hex"),
    ).toBe(SHA256);
  });

  test("has bytes that share their memory with nothing else", async () => {
    const { hooks } = await load("agent.yaml", withWasm("guard.wasm"), { "guard.wasm": GUARD });
    expect(hooks[0]?.runner.kind === "wasm" && hooks[0].runner.bytes.buffer.byteLength).toBe(GUARD.length);
  });
});

describe("the sha256 of a wasm hook", () => {
  test.each([SHA256, SHA256.toUpperCase(), `sha256:${SHA256}`, `SHA256:${SHA256}`, ` ${SHA256} `])(
    "pins its module, written as %j",
    async (pin) => {
      const { problems } = await load("agent.yaml", withWasm("guard.wasm", `sha256: "${pin}"`), {
        "guard.wasm": GUARD,
      });
      expect(problems).toEqual([]);
    },
  );

  test("that is another one's is a mismatch, which gives both", async () => {
    const other = "0".repeat(64);
    const config = await load("agent.yaml", withWasm("guard.wasm", `sha256: ${other}`), {
      "guard.wasm": GUARD,
    });
    expect(config.hooks).toEqual([]);
    expect(config.problems).toMatchObject([
      {
        code: "digest-mismatch",
        line: 4,
        column: 15,
        hook: "preToolCall[0]",
        message: `"guard.wasm" has the SHA-256 ${SHA256} and not ${other}: restore the file, or pin the new one if you trust it`,
      },
    ]);
  });

  test("that does not fit is told before anything that is wrong with the module", async () => {
    const config = await load("agent.yaml", withWasm("x.wasm", `sha256: ${"a".repeat(64)}`), {
      "x.wasm": "not wasm",
    });
    expect(places(config)).toEqual(["4:15 digest-mismatch preToolCall[0]"]);
  });

  test.each([
    ["abc", '"sha256" is "abc": write the 64 hexadecimal digits that sha256sum prints'],
    ["[]", '"sha256" is a list: write the 64 hexadecimal digits that sha256sum prints'],
    ["''", '"sha256" is a string: write the 64 hexadecimal digits that sha256sum prints'],
    [`md5:${SHA256}`, expect.stringContaining("write the 64 hexadecimal digits that sha256sum prints")],
    [`${SHA256.slice(1)}g`, expect.stringContaining("write the 64 hexadecimal digits that sha256sum prints")],
  ])("that is none is a problem: %s", async (pin, message) => {
    const { problems } = await load("agent.yaml", withWasm("guard.wasm", `sha256: ${pin}`), {
      "guard.wasm": GUARD,
    });
    expect(problems).toMatchObject([{ code: "bad-value", line: 4, column: 15, message }]);
  });

  test("of digits only is read as written, not as a number", async () => {
    const digits = "1".repeat(64);
    const { problems } = await load("agent.yaml", withWasm("guard.wasm", `sha256: ${digits}`), {
      "guard.wasm": GUARD,
    });
    expect(problems).toMatchObject([
      { code: "digest-mismatch", message: expect.stringContaining(`not ${digits}: `) },
    ]);
  });
});

describe("a wasm hook is refused at its wasm key where the file", () => {
  const refused = async (bytes: Uint8Array | string) => {
    const config = await load("agent.yaml", withWasm("x.wasm"), { "x.wasm": bytes });
    expect(config.hooks).toEqual([]);
    expect(config.problems).toMatchObject([{ line: 3, column: 7, hook: "preToolCall[0]" }]);
    expect(config.problems[0]?.message).toMatch(/^"x\.wasm": /);
    return config.problems[0]?.code;
  };

  test("is missing", async () => {
    const directory = await folder({ "agent.yaml": withWasm("none.wasm") });
    const { problems } = await loadConfig(join(directory, "agent.yaml"));
    expect(problems).toMatchObject([
      {
        code: "wasm-missing",
        line: 3,
        column: 7,
        message: `"none.wasm": there is no file ${directory}/none.wasm: correct the path, or build the module`,
      },
    ]);
  });

  test("is missing because a directory of its path is a file", async () => {
    const config = await load("agent.yaml", withWasm("guard.wasm/x.wasm"), { "guard.wasm": GUARD });
    expect(places(config)).toEqual(["3:7 wasm-missing preToolCall[0]"]);
  });

  test("is a directory, a pipe, a device or a loop of links", async () => {
    const directory = await folder({});
    await mkdir(join(directory, "directory"));
    execFileSync("mkfifo", [join(directory, "pipe")]);
    await symlink("loop", join(directory, "loop"));
    for (const [path, cause] of [
      ["directory", "it is a directory"],
      ["pipe", "it is not a regular file"],
      ["/dev/zero", "it is not a regular file"],
      ["loop", "its symbolic links form a loop"],
    ] as const) {
      await writeFile(join(directory, "agent.yaml"), withWasm(path));
      const { problems } = await loadConfig(join(directory, "agent.yaml"));
      expect(problems).toMatchObject([
        {
          code: "wasm-unreadable",
          line: 3,
          column: 7,
          message: expect.stringContaining(`cannot be read, ${cause}: name a file that can`),
        },
      ]);
    }
  });

  test("has a path that no file can have", async () => {
    const config = await load("agent.yaml", withWasm("x".repeat(5000)));
    expect(places(config)).toEqual(["3:7 wasm-unreadable preToolCall[0]"]);
  });

  test("is larger than 32 MiB, without reading it", async () => {
    const directory = await folder({ "agent.yaml": withWasm("huge.wasm") });
    const handle = await open(join(directory, "huge.wasm"), "w");
    await handle.truncate(1024 ** 4);
    await handle.close();
    const { problems } = await loadConfig(join(directory, "agent.yaml"));
    expect(problems).toMatchObject([
      {
        code: "module-refused",
        message: expect.stringContaining(
          "it has 1099511627776 bytes, over the limit of 33554432: make it smaller, or raise the limit fileBytes (limits: module)",
        ),
      },
    ]);
  });

  test("is empty, or cut short anywhere", async () => {
    expect(await refused("")).toBe("wasm-truncated");
    expect(await refused(GUARD.subarray(0, 6))).toBe("wasm-truncated");
    expect(await refused(GUARD.subarray(0, GUARD.length - 1))).toBe("wasm-truncated");
  });

  test("is no wasm", async () => {
    expect(await refused("#!/bin/sh\nexit 0\n")).toBe("module-refused");
  });

  test("is a core module", async () => {
    expect(await refused(await componentFromWat("(module)"))).toBe("core-module");
  });

  test("is a component of another world", async () => {
    expect(await refused(await componentFromWat("(component)"))).toBe("not-a-hook");
  });

  test("imports what a hook may not", async () => {
    const wit = `${hookWit}
      interface disk { read: func(); }
      world wide { import host; import disk; export handler; }`;
    const imports = '(import "wasmhook:hook/disk@1.0.0" "read" (func $read))';
    const handle = "(call $read) (call $answer (i32.const 0) (i32.const 0) (i32.const 0))";
    expect(await refused(await worldComponent(guest({ imports, handle }), wit, "wide"))).toBe(
      "import-refused",
    );
  });

  test("speaks another version of the contract", async () => {
    const [wat, wit] = [constGuest("{}"), hookWit].map((text) => text.replaceAll("@1.0.0", "@9.0.0"));
    expect(await refused(await worldComponent(wat!, wit!, "hook"))).toBe("version-refused");
  });
});
