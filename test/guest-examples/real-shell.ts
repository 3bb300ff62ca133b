import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "../support/cli.js";

const SHELLS = ["/bin/sh", "/bin/bash"].filter((shell) => existsSync(shell));

/** Runs command lines in real shells that have no program but a `git` that notes how it was called. */
export async function realShell() {
  const home = await folder({
    "bin/git": '#!/bin/sh\nprintf "%s\\0" "$#" "$@" >> "$CALLS"\n',
    "bin/sh": '#!/bin/sh\nexec /bin/sh "$@"\n',
    "work/empty": "",
  });
  let runs = 0;

  /** The arguments of every `git` that some shell runs for a line. */
  return function gitCalls(line: string): string[][] {
    const all: string[][] = [];
    for (const shell of SHELLS) {
      // One file for each run: what a line leaves in the background may write late.
      const calls = join(home, `calls-${runs++}`);
      const env = { PATH: join(home, "bin"), CALLS: calls };
      spawnSync(shell, ["-c", line], { cwd: join(home, "work"), env, stdio: "ignore", timeout: 5000 });
      if (existsSync(calls)) all.push(...records(readFileSync(calls, "utf8")));
    }
    return all;
  };
}

function records(text: string): string[][] {
  const fields = text.split("\0").slice(0, -1);
  const all: string[][] = [];
  while (fields.length > 0) all.push(fields.splice(0, Number(fields.shift())));
  return all;
}
