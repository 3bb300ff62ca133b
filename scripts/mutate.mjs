// Takes the guards of test/mutations out of a copy of the source, one by one, and holds the tests to noticing each.
//   node scripts/mutate.mjs [--jobs N] [WORD ...]    only mutations whose promise, file or list has such a word
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ProjectCopy } from "./project-copy.mjs";

const LISTS = new URL("../test/mutations/", import.meta.url);
const { values, positionals } = parseArgs({ options: { jobs: { type: "string" } }, allowPositionals: true });

async function readMutations() {
  const names = readdirSync(LISTS).filter((name) => name.endsWith(".mjs"));
  const lists = await Promise.all(names.map((name) => import(new URL(name, LISTS).href)));
  const all = lists.flatMap(({ mutations }, i) =>
    mutations.map((mutation) => ({ list: names[i], ...mutation })),
  );
  if (positionals.length === 0) return all;
  return all.filter((mutation) => positionals.some((word) => JSON.stringify(mutation).includes(word)));
}

/** The test files that mutations name, each with the names of their tests; "" stands for all. */
function filesOf(mutations) {
  const files = new Map();
  for (const { tests, only = "" } of mutations) {
    for (const file of tests) files.set(file, (files.get(file) ?? new Set()).add(only));
  }
  return [...files].map(([file, texts]) => ({ file, texts: [...texts] }));
}

/** Without a mutation the tests that are named have to be there, and green. */
async function tryUnmutated(copy, { file, texts }) {
  const { results, text } = await copy.test([file], texts.includes("") ? [] : texts);
  if (results.length === 0) return { problem: `it does not run: ${text.trim().slice(0, 500)}` };
  const failed = results.find(({ status }) => status !== "passed");
  if (failed !== undefined) return { problem: `it is red without a mutation: ${failed.fullName}` };
  const missing = texts.find((part) => !results.some(({ fullName }) => fullName.includes(part)));
  if (missing !== undefined) return { problem: `it has no test of the name "${missing}"` };
  return { done: `${results.length} tests are green without a mutation` };
}

/** Tells which test noticed a mutation, or why that is no proof. */
function tryMutation(copy, { edits, file, find, put, tests, only = "" }) {
  return copy.edited(edits ?? [{ file, find, put }], async () => {
    const problem = await copy.build();
    if (problem !== undefined) return { problem };
    const { results, text } = await copy.test(tests, [only], "--bail=1");
    if (results.length === 0) return { problem: `no test ran: ${text.trim().slice(0, 500)}` };
    const failed = results.find(({ status }) => status === "failed");
    if (failed === undefined) return { problem: "NO TEST NOTICED" };
    const name = `${failed.file} > ${failed.fullName}`;
    if (!/timed out in \d+ms/.test(failed.failureMessages.join())) return { done: name };
    return { problem: `a test timed out, which asserts nothing: ${name}` };
  });
}

/** Has each job done in one of the copies, and returns what is wrong. */
async function doAll(copies, jobs, titleOf, act) {
  const queue = [...jobs];
  const problems = [];
  const serve = async (copy) => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const start = performance.now();
      const { done, problem } = await act(copy, job).catch((error) => ({ problem: error.message }));
      const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
      const mark = problem === undefined ? "ok " : "BAD";
      process.stdout.write(`${mark} ${seconds} s  ${titleOf(job)}\n             ${done ?? problem}\n`);
      if (problem !== undefined) problems.push(`${titleOf(job)}\n  ${problem}`);
    }
  };
  await Promise.all(copies.map(serve));
  return problems;
}

const work = mkdtempSync(join(tmpdir(), "wasmhook-mutate-"));
process.once("exit", () => rmSync(work, { recursive: true, force: true }));
process.once("SIGINT", () => process.exit(130));

const start = performance.now();
const mutations = await readMutations();
const jobs = Number(values.jobs ?? availableParallelism());
const copies = Array.from({ length: jobs }, (_, i) => new ProjectCopy(join(work, `${i}`)));
for (const copy of copies) {
  const problem = await copy.build();
  if (problem !== undefined) throw new Error(problem);
}
const problems = [
  ...(await doAll(copies, filesOf(mutations), ({ file }) => file, tryUnmutated)),
  ...(await doAll(copies, mutations, ({ promise }) => promise, tryMutation)),
];
for (const problem of problems) process.stdout.write(`\n- ${problem}\n`);
const minutes = ((performance.now() - start) / 60_000).toFixed(1);
process.stdout.write(`\n${mutations.length} mutations, ${problems.length} problems, ${minutes} minutes\n`);
process.exitCode = problems.length > 0 || mutations.length === 0 ? 1 : 0;
