import { spawnSync } from "node:child_process";
import { folder } from "../support/cli.js";

/** git's exit code for options that it does not know, or cannot tell from others. */
const USAGE = 129;

/** What tells whether the real git takes a word as an option of `git push`. */
export async function realGit(): Promise<(option: string) => boolean> {
  const cwd = await folder({ "work/empty": "" });
  const run = (...args: string[]) => spawnSync("git", args, { cwd, stdio: "ignore" }).status;
  if (run("init", "--quiet") !== 0) throw new Error("git is needed: this holds the example to the real one");
  return (option) => run("push", "--dry-run", option, "./nowhere", "HEAD") !== USAGE;
}
