// A copy of the project that can be changed, built and tested, and shares the installed packages.
import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const HOME = new URL("..", import.meta.url).pathname;
const LEFT_OUT = new Set(["node_modules", ".git", "test/.work"].map((name) => join(HOME, name)));
const VITEST = "node_modules/vitest/vitest.mjs";
const TSC = "node_modules/typescript/bin/tsc";
/** Far more than any of the tests takes: what is stopped by it hangs. */
const PATIENCE_MS = 180_000;

export class ProjectCopy {
  #directory;

  constructor(directory) {
    this.#directory = directory;
    cpSync(HOME, directory, { recursive: true, filter: (path) => !LEFT_OUT.has(path) });
    symlinkSync(join(HOME, "node_modules"), join(directory, "node_modules"));
  }

  /** Compiles what has changed. That a change leaves something unused is no fault. Returns what is wrong. */
  async build() {
    const unused = ["--noUnusedLocals", "false", "--noUnusedParameters", "false"];
    const incremental = ["--incremental", "--tsBuildInfoFile", "copy.tsbuildinfo"];
    const { status, text } = await this.#run([TSC, "-p", "tsconfig.build.json", ...unused, ...incremental]);
    return status === 0 ? undefined : `it does not compile: ${text.trim()}`;
  }

  /**
   * Runs those tests of `files` that have one of `texts` in their names.
   * @returns the results of the tests that ran, and all that was printed
   */
  async test(files, texts, ...options) {
    const report = join(this.#directory, "report.json");
    rmSync(report, { force: true });
    const pattern = texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    const { text } = await this.#run([
      VITEST,
      "run",
      ...files,
      `--testNamePattern=${pattern || ".*"}`,
      "--reporter=json",
      `--outputFile=${report}`,
      ...options,
    ]);
    if (!existsSync(report)) return { results: [], text };
    const { testResults } = JSON.parse(readFileSync(report, "utf8"));
    const results = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map((result) => ({ file: name.slice(this.#directory.length + 1), ...result })),
    );
    return { results: results.filter(({ status }) => status !== "skipped"), text };
  }

  /**
   * Replaces texts in files while `act` is under way.
   * @throws Error where a text does not stand in its file exactly once
   */
  async edited(edits, act) {
    const originals = new Map();
    try {
      for (const { file, find, put } of edits) {
        const path = join(this.#directory, file);
        const text = readFileSync(path, "utf8");
        const parts = text.split(find);
        if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times: ${find}`);
        if (!originals.has(path)) originals.set(path, text);
        writeFileSync(path, parts.join(put));
      }
      return await act();
    } finally {
      for (const [path, text] of originals) writeFileSync(path, text);
    }
  }

  /** Runs a program of Node to its end. */
  #run(args) {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, args, { cwd: this.#directory, detached: true });
      let text = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
      }
      const kill = () => process.kill(-child.pid, "SIGKILL");
      const timer = setTimeout(kill, PATIENCE_MS);
      process.once("exit", kill);
      child.on("close", (status) => {
        clearTimeout(timer);
        process.off("exit", kill);
        resolve({ status, text });
      });
    });
  }
}
