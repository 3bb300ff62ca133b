import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Ended, folder, wasmhook } from "../support/cli.js";
import { sayingCommand } from "../support/commands.js";
import { component, leb, section, text } from "../support/component-bytes.js";
import { componentFromWat } from "../support/components.js";

const EXAMPLE = fileURLToPath(
  new URL("../../guest-examples/no-force-push/build/no-force-push.wasm", import.meta.url),
);

async function inspected(bytes: Uint8Array | string, ...args: string[]): Promise<Ended> {
  const cwd = await folder({ "hook.wasm": bytes });
  return await wasmhook(["inspect", "hook.wasm", ...args], { cwd, stdin: "" });
}

describe("wasmhook inspect", () => {
  test("shows what a hook is that would be accepted, and exits with 0", async () => {
    const { exitCode, stdout, stderr } = await wasmhook(["inspect", EXAMPLE]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const bytes = await readFile(EXAMPLE);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const lines = stdout.split("\n");
    expect(lines.slice(0, 5)).toEqual([
      `${EXAMPLE}: accepted`,
      "kind       component",
      "world      wasmhook:hook/hook@1.0.0",
      `sha256     ${sha256}`,
      `size       ${bytes.length.toLocaleString("en")} bytes`,
    ]);
    expect(lines).toContain("memory     1 page (64 KiB) at the start, no maximum of its own");
    expect(lines).toContain("made with  wit-component 0.259.0 (processed-by)");
    expect(stdout).toContain(
      "exports\n  wasmhook:hook/handler@1.0.0\n    handle: func(event: string) -> result<string, string>\n",
    );
    expect(stdout).toMatch(/\n {2}core module +[\d,]+\n {4}type +\d+\n/);
  });

  test("shows a WASI command that would be accepted, and each function that it imports", async () => {
    const program = await componentFromWat(sayingCommand({ exitCode: 1 }));
    const { exitCode, stdout } = await inspected(program);
    expect(exitCode).toBe(0);
    const [verdict, kind, world] = stdout.split("\n");
    expect([verdict, kind, world]).toEqual([
      "hook.wasm: accepted",
      "kind       core module",
      "world      wasi_snapshot_preview1 (command)",
    ]);
    expect(stdout).toContain(
      "imports\n  wasi_snapshot_preview1\n    fd_write: func(i32, i32, i32, i32) -> i32\n",
    );
    expect(stdout).toContain("    proc_exit: func(i32)\n");
  });

  test("prints the same as one JSON document", async () => {
    const { exitCode, stdout } = await wasmhook(["inspect", "--json", EXAMPLE]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: EXAMPLE,
      accepted: true,
      sha256: createHash("sha256")
        .update(await readFile(EXAMPLE))
        .digest("hex"),
      kind: "component",
      world: "wasmhook:hook/hook@1.0.0",
      exports: [{ name: "wasmhook:hook/handler@1.0.0" }],
    });
  });

  test("shows of a refused file the error, its code and what could be read, and exits with 1", async () => {
    const module = await componentFromWat('(module (import "env" "f" (func)) (memory 3))');
    const { exitCode, stdout, stderr } = await inspected(module);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    expect(stdout).toMatch(/^hook\.wasm: refused: This is a core WebAssembly module, .* \[core-module\]\n/);
    expect(stdout).toContain("\nkind       core module\n");
    expect(stdout).toContain("\nmemory     3 pages (192 KiB) at the start");
    expect(stdout).toContain("\nimports\n  env\n    f: func()\nexports\n  none\n");
    const json = JSON.parse((await inspected(module, "--json")).stdout);
    expect(json).toMatchObject({ accepted: false, error: { code: "core-module" }, kind: "core module" });
  });

  test("says of a file of another kind what it is", async () => {
    const { exitCode, stdout } = await inspected("#!/bin/sh\n");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^hook\.wasm: refused: .* is a script: .* \[module-refused\]\nkind +neither\nsha256/,
    );
  });

  test("looks at no more of what a file says made it than toolchains write", async () => {
    const one = [...text("language"), 1, ...text("Rust"), ...text("1")];
    const other = [...text("language"), 1, ...text("Go"), ...text("1")];
    const many = Array.from({ length: 5_000 }, () => one).flat();
    const section0 = section(0, [...text("producers"), ...leb(5_001), ...many, ...other]);
    const { producers } = JSON.parse((await inspected(component(section0), "--json")).stdout);
    expect(producers).toEqual([{ field: "language", name: "Rust", version: "1" }]);
  });

  const HOSTILE = "a\u001b[2J\u009b1m\u202e\nkind";

  test.each([
    ["a core import", () => hostileModule(`(import "${watText(HOSTILE)}" "${watText(HOSTILE)}" (func))`)],
    ["a core export", () => hostileModule(`(func (export "${watText(HOSTILE)}"))`)],
    ["a custom section", () => component(section(0, text(HOSTILE)))],
    [
      "a producer",
      () =>
        component(
          section(0, [...text("producers"), 1, ...text(HOSTILE), 1, ...text(HOSTILE), ...text(HOSTILE)]),
        ),
    ],
    [
      "a component's export",
      () => component(section(7, [1, 0x40, 0, 1, 0]), section(10, [1, 0, ...text(HOSTILE), 1, 0])),
    ],
    [
      "a parameter",
      () =>
        component(
          section(7, [1, 0x40, 1, ...text(HOSTILE), 0x79, 1, 0]),
          section(10, [1, 0, ...text("f"), 1, 0]),
        ),
    ],
  ])("shows a hostile name of %s escaped, as text and as JSON", async (_where, make) => {
    const bytes = await make();
    for (const args of [[], ["--json"]]) {
      const { stdout, stderr } = await inspected(bytes, ...args);
      expect(stderr).toBe("");
      expect(stdout).toMatch(/\\u001b\[2J/);
      expect(stdout).not.toMatch(/[^\n -~]/);
      expect(stdout.match(/^kind/gm) ?? []).toHaveLength(args.length === 0 ? 1 : 0);
    }
  });

  test("shows the file's own name escaped", async () => {
    const cwd = await folder({ "\u001b[2J.wasm": "" });
    const { stdout } = await wasmhook(["inspect", "\u001b[2J.wasm"], { cwd, stdin: "" });
    expect(stdout).toMatch(/^\\u\{1b\}\[2J\.wasm: refused: The file is empty/);
  });

  test.each([
    ["no file", [], "give one FILE [usage] (see wasmhook inspect --help)"],
    ["two files", ["a", "b"], "give one FILE [usage]"],
    [
      "a file that is not there",
      ["no.wasm"],
      "no.wasm: correct the path, or build the module [wasm-missing]",
    ],
    ["a directory", ["."], "it is a directory: name a file that can [wasm-unreadable]"],
    ["an unknown option", ["a", "--jsn"], "did you mean --json? [usage]"],
  ])("exits with 1 and what to do for %s", async (_, args, says) => {
    const { exitCode, stdout, stderr } = await wasmhook(["inspect", ...args], {
      cwd: await folder(),
      stdin: "",
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(says);
  });
});

function hostileModule(fields: string): Promise<Uint8Array> {
  return componentFromWat(`(module ${fields})`);
}

/** A name as the text format writes it. */
function watText(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => `\\${byte.toString(16).padStart(2, "0")}`).join(
    "",
  );
}
