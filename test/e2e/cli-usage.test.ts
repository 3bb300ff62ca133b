import { describe, expect, it } from "vitest";
import { wasmhook } from "../support/cli.js";

describe("usage:", () => {
  const VERBS = ["run", "list", "check", "inspect", "test", "record", "build", "cache"];

  it.each([[["--help"]], [["-h"]], [["help"]], ...VERBS.map((verb) => [[verb, "--help"]])])(
    "%j explains itself on stdout",
    async (args) => {
      const { exitCode, stdout, stderr } = await wasmhook(args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: wasmhook /);
      for (const part of ["Options:", "Exit codes:", "Examples:"]) expect(stdout).toContain(part);
      const verb = VERBS.find((name) => args.includes(name));
      for (const name of verb === undefined ? VERBS : [verb]) expect(stdout).toContain(name);
    },
  );

  it("--version prints the version of the package", async () => {
    const { version } = (await import("../../package.json", { with: { type: "json" } })).default;
    expect(await wasmhook(["--version"])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("without a verb, the help is on stderr", async () => {
    const { exitCode, stdout, stderr } = await wasmhook([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^Usage: wasmhook /);
  });

  it.each<[args: string[], says: string]>([
    [["rnu"], "there is no verb rnu: did you mean run?"],
    [["serve"], "there is no verb serve: see wasmhook --help"],
    [["constructor"], "there is no verb constructor"],
    [["run"], "give --config FILE [usage] (see wasmhook run --help)"],
    [["run", "--config"], "'--config <value>' argument missing [usage]"],
    [["run", "--config="], "give --config FILE [usage]"],
    [["run", "--confgi", "a.yaml"], "did you mean --config? [usage]"],
    [["run", "a.yaml"], "Unexpected argument 'a.yaml'"],
    [["list"], "give --config FILE [usage] (see wasmhook list --help)"],
    [
      ["check", "--config", "a.yaml", "--dialect", "claude"],
      "--dialect claude is not known: use mm or mnemoai [usage]",
    ],
    [
      ["run", "--config", "no-such-agent.yaml"],
      "no-such-agent.yaml cannot be read, there is no such file: name the agent's config file [config-unreadable]",
    ],
    [["list", "--config", "."], "it is a directory: name the agent's config file [config-unreadable]"],
    [["build"], "give one SOURCE [usage]"],
  ])("%j is refused with exit code 1 and what to do", async (args, says) => {
    const { exitCode, stdout, stderr } = await wasmhook(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^wasmhook/);
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
