// Runs everything that `npm test` promises, and closes with the count of all test runs together.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentNode } from "./current-node.mjs";

const work = mkdtempSync(join(tmpdir(), "wasmhook-test-"));
const counts = { passed: 0, failed: 0, skipped: 0 };
let broken = false;

function step(title, file, args) {
  process.stdout.write(`\n== ${title}\n`);
  const { status } = spawnSync(file, args, { stdio: "inherit" });
  if (status !== 0) broken = true;
  return status === 0;
}

/** All tests on one Node. Those that hold guests to a time run by themselves, when nothing else does. */
function tests(node, version) {
  vitest(`tests on Node ${version}`, node, ["--exclude", "test/hostile/**"]);
  vitest(`hostile guests on Node ${version}`, node, ["test/hostile", "--no-file-parallelism"]);
}

function vitest(title, node, options) {
  const report = join(work, `${counts.passed}.json`);
  step(title, node, [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...options,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  const result = readReport(report);
  if (result === undefined) {
    broken = true;
    return;
  }
  counts.passed += result.numPassedTests;
  counts.failed += result.numFailedTests;
  counts.skipped += result.numPendingTests + result.numTodoTests;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

const npm = (title, script) => step(title, "npm", ["run", "--silent", script]);

try {
  if (npm("build", "build") && npm("examples", "build:examples") && npm("agent", "build:agent")) {
    npm("format, lint and types", "check");
    tests(process.execPath, process.version);
    const current = currentNode();
    tests(current.file, current.version);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exitCode = broken || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
