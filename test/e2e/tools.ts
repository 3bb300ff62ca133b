import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { folder } from "../support/cli.js";

/** Whether a program of this name is on the PATH. */
export function onPath(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((directory) => existsSync(join(directory, name)));
}

/** An environment in which `python` runs, whatever name Python goes by here. */
export async function withPython(): Promise<{ PATH: string }> {
  const directory = await folder({ python: '#!/bin/sh\nexec python3 "$@"\n' });
  return { PATH: `${directory}${delimiter}${process.env.PATH}` };
}
