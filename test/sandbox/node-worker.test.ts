import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { closed } from "#src/cut-short";
import { NodeWorker } from "#src/sandbox/node-worker";

/** A worker that answers what an expression gives. */
const EVALUATES = `
  const { parentPort, resourceLimits } = await import("node:worker_threads");
  parentPort.on("message", (expression) => parentPort.postMessage(eval(expression)));
  parentPort.postMessage("ready");`;
const FILE = new URL(`data:text/javascript,${encodeURIComponent(EVALUATES)}`);

const workers: NodeWorker<string, unknown>[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end(closed())));
});

async function evaluate(expression: string): Promise<unknown> {
  const worker = new NodeWorker<string, unknown>({ file: FILE, name: "test worker", heapBytes: 2 ** 24 });
  workers.push(worker);
  await worker.ready;
  return await worker.call(expression, { deadlineMs: 5_000 });
}

describe("a worker thread", () => {
  test("has no environment", async () => {
    expect(Object.keys(process.env)).not.toEqual([]);
    expect(await evaluate("Object.keys(process.env)")).toEqual([]);
  });

  test("has nothing on stdin", async () => {
    expect(await evaluate("process.stdin.read()")).toBeNull();
  });

  test("has the heap and the stack of its plan", async () => {
    expect(await evaluate("resourceLimits")).toMatchObject({ maxOldGenerationSizeMb: 16, stackSizeMb: 16 });
  });

  test.each([
    ["exits", "process.exit(3)", "exit code 3"],
    ["throws", "(() => { throw new Error('oops') })()", "oops"],
  ])("that %s is a failed call, which says so", async (_what, expression, cause) => {
    await expect(evaluate(expression)).rejects.toMatchObject({ code: "worker-died", data: { cause } });
  });
});

/** Runs a program that evaluates an expression in a worker, and prints what that gives. */
async function program(flags: string[], expression: string): Promise<{ stdout: string; stderr: string }> {
  const source = `
    import { NodeWorker } from "#src/sandbox/node-worker";
    const file = new URL(${JSON.stringify(FILE.href)});
    const worker = new NodeWorker({ file, name: "test worker", heapBytes: 2 ** 24 });
    await worker.ready;
    const said = await worker.call(${JSON.stringify(expression)}, { deadlineMs: 5_000 });
    process.stdout.write(JSON.stringify(said));`;
  const args = [...flags, "--input-type=module", "--eval", source];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 10_000 });
  return { stdout, stderr };
}

describe("a program with a worker thread", () => {
  test("does not hand it the options of its own Node", async () => {
    const { stdout } = await program(["--no-deprecation"], "process.execArgv");
    expect(stdout).toBe("[]");
  });

  test("prints nothing of what that prints, and exits all the same", async () => {
    const prints = "process.stdout.write('out'); process.stderr.write('err'); process.emitWarning('w'); 7";
    expect(await program([], prints)).toEqual({ stdout: "7", stderr: "" });
  });
});
