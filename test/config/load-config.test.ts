import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "#src/config/load-config";
import { folder, load, places } from "./support.js";

const MM = 'hooks:\n  preToolCall:\n    - command: "true"\n';
const MNEMOAI = '{"hooks": {"PreToolUse": [{"hooks": [{"command": "true"}]}]}}';

describe("the dialect", () => {
  test.each([
    ["agent.yaml", MM, "mm"],
    ["agent.yml", MM, "mm"],
    ["AGENT.YAML", MM, "mm"],
    ["agent.yaml", '{"hooks": {"preToolCall": []}}', "mm"],
    ["hooks.json", MNEMOAI, "mnemoai"],
    ["hooks.json", '{"PreToolUse": []}', "mnemoai"],
    ["hooks.json", "[]", "mnemoai"],
    ["hooks.json", "not JSON", "mnemoai"],
    ["agent.json", '{"hooks": {"preToolCall": []}}', "mm"],
    ["hooks.json", '{"hooks": {"PreToolUse": [{"hooks": [{"config": {"preToolCall": 1}}]}]}}', "mnemoai"],
    ["hooks.json", '{"// not \\"preToolCall\\": here": 1, "PreToolUse": []}', "mnemoai"],
    ["hooks.json", '{"hooks": {}, "x": {"preToolCall": []}}', "mnemoai"],
    ["hooks.json", '{"hooks": {"PreToolUse": [], "preToolCall": []}}', "mnemoai"],
    ["agent.json", '{"hooks": {"preToolCall": []}, "hooks": {}}', "mm"],
    ["agent.json", '{"preToolCall": []}', "mm"],
    ["agent", MM, "mm"],
    ["agent", ` \n${MNEMOAI}`, "mnemoai"],
    ["agent.conf", '{"hooks": {"postGeneration": []}}', "mm"],
    ["agent.conf", "", "mm"],
  ])("of %s with %j is told: %#", async (name, text, dialect) => {
    expect((await load(name, text)).dialect).toBe(dialect);
  });

  test("that is asked for goes before what the file looks like", async () => {
    const config = await load("hooks.txt", MM, {}, { dialect: "mnemoai" });
    expect(config).toMatchObject({ dialect: "mnemoai", hooks: [] });
    expect(places(config)).toEqual(["1:1 json-syntax"]);
  });
});

describe("a config file", () => {
  test.each([
    ["agent.yaml", MM, true],
    ["agent.yaml", "hooks: {}", true],
    ["agent.yaml", `${MM}    - comand: x\n`, false],
    ["hooks.json", MNEMOAI, true],
    ["hooks.json", '{"hooks": {"PreToolUse": [{"hooks": [{"comand": "true"}]}]}}', true],
    ["hooks.json", "[]", false],
    ["hooks.json", "{", false],
    ["hooks.json", '{"hooks": []}', false],
  ])("%s with %j is loaded: %j", async (name, text, loaded) => {
    expect((await load(name, text)).loaded).toBe(loaded);
  });

  test("is told with its absolute path and directory", async () => {
    const directory = await folder({ "agent.yaml": MM });
    const config = await loadConfig(`${directory}/x/../agent.yaml`);
    expect(config).toMatchObject({ file: join(directory, "agent.yaml"), directory, problems: [] });
    expect(config.hooks).toHaveLength(1);
  });

  test("has its problems under the name that the caller gave", async () => {
    const directory = await folder({ "agent.yaml": "hooks: 1" });
    const name = `${directory}/./agent.yaml`;
    expect((await loadConfig(name)).problems).toMatchObject([{ file: name }]);
  });

  test("may start with a byte order mark and have CR LF at its line ends", async () => {
    const yaml = await load("agent.yaml", `\ufeff${MM.replaceAll("\n", "\r\n")}    - comand: x\r\n`);
    expect(places(yaml)).toEqual(["4:7 unknown-key preToolCall[1]", "4:7 no-runner preToolCall[1]"]);
    const json = await load("hooks.json", `\ufeff{\r\n "Stop": []}`);
    expect(places(json)).toEqual(["2:2 unknown-event"]);
    expect(places(await load("hooks.json", "\ufeff[]"))).toEqual(["1:1 bad-type"]);
  });

  test("that is not UTF-8 is a problem at its first wrong byte", async () => {
    const latin1 = Buffer.from("a: 1\n# é caf\xe9\n", "latin1");
    const config = await load("agent.yaml", latin1);
    expect(config.problems).toMatchObject([
      { code: "not-utf8", line: 2, column: 3, message: "the file is not UTF-8: save it as UTF-8" },
    ]);
    const mixed = Buffer.concat([Buffer.from("a: 1\n# é𝄞"), Buffer.of(0xe9, 0x0a)]);
    expect(places(await load("agent.yaml", mixed))).toEqual(["2:6 not-utf8"]);
    expect(
      places(await load("agent.yaml", Buffer.concat([Buffer.from("ab"), Buffer.of(0xe2, 0x82)]))),
    ).toEqual(["1:3 not-utf8"]);
  });

  test("in UTF-16 is told so", async () => {
    const utf16 = Buffer.from(`\ufeff${MM}`, "utf16le");
    expect((await load("agent.yaml", utf16)).problems).toMatchObject([
      { line: 1, column: 1, message: "the file is not UTF-8 but looks like UTF-16: save it as UTF-8" },
    ]);
  });

  test("that is not there, or is a directory, is an error", async () => {
    const directory = await folder({});
    await expect(loadConfig(join(directory, "none.yaml"))).rejects.toMatchObject({
      code: "config-unreadable",
      data: { file: join(directory, "none.yaml") },
      message: `${directory}/none.yaml cannot be read, there is no such file: name the agent's config file`,
    });
    await expect(loadConfig(directory)).rejects.toThrow("cannot be read, it is a directory");
  });

  test("that is a pipe or a device is an error, and nothing waits for it", async () => {
    const directory = await folder({});
    const pipe = join(directory, "pipe.yaml");
    execFileSync("mkfifo", [pipe]);
    for (const file of [pipe, "/dev/zero", "/dev/null"]) {
      await expect(loadConfig(file)).rejects.toMatchObject({
        code: "config-unreadable",
        message: expect.stringContaining("it is not a regular file"),
      });
    }
  });

  test("that this user may not read is an error", async () => {
    const directory = await folder({ "agent.yaml": MM });
    const file = join(directory, "agent.yaml");
    await chmod(directory, 0o755);
    await chmod(file, 0);
    await expect(asNobody(() => loadConfig(file))).rejects.toThrow("cannot be read, permission is denied");
  });

  test("behind a loop of symbolic links is an error", async () => {
    const directory = await folder({});
    await symlink("b.yaml", join(directory, "a.yaml"));
    await symlink("a.yaml", join(directory, "b.yaml"));
    await expect(loadConfig(join(directory, "a.yaml"))).rejects.toThrow("its symbolic links form a loop");
  });

  test("of more than 1 MiB is an error, and one of 1 MiB is not", async () => {
    const directory = await folder({});
    const file = join(directory, "agent.yaml");
    await writeFile(file, "#".repeat(1024 * 1024));
    expect(await loadConfig(file)).toMatchObject({ hooks: [], problems: [] });
    await writeFile(file, "#".repeat(1024 * 1024 + 1));
    await expect(loadConfig(file)).rejects.toThrow("it has 1048577 bytes, over the limit of 1048576");
  });

  test("may have any name, and its directory too", async () => {
    const directory = join(await folder({}), "it's $(a) dir é");
    await mkdir(directory);
    await writeFile(join(directory, "-x.yaml"), MM);
    expect(await loadConfig(join(directory, "-x.yaml"))).toMatchObject({ directory, problems: [] });
  });
});

/** Runs as a user without rights where the tests run as root, who may read everything. */
async function asNobody<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(65534);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}
