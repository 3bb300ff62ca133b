import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import type { GuestRequest } from "#src/sandbox/instance";
import { SandboxProcesses } from "#src/sandbox/process/sandbox-processes";
import { type GuestHost, Sandbox, type SandboxRun } from "#src/sandbox/sandbox";
import { CASES, type Case } from "./determinism/guests.js";

const SCRIPT = fileURLToPath(new URL("./determinism/run-guests.mjs", import.meta.url));

const names = Object.keys(CASES);
const guests = await Promise.all(
  Object.values(CASES).map(async ({ component, event, config = null, limits }) => ({
    bytes: await component(),
    request: { event, config: JSON.stringify(config), limits: { ...DEFAULT_LIMITS, ...limits } },
  })),
);

/** What a thousand runs of one guest came to. */
interface ManyRuns {
  /** Each outcome once. */
  seen: string[];
  /** Which of the engine's compilers the handler was last compiled by, after the first run and after the last. */
  compilers: [first: string, last: string];
}

/** Runs all guests in a process of its own. */
function runElsewhere(nodeOptions: string[], options: string[] = []): Promise<ManyRuns[]> {
  const input = guests.map(({ bytes, request }) => ({
    base64: Buffer.from(bytes).toString("base64"),
    request,
  }));
  return new Promise((resolve, reject) => {
    const args = ["--allow-natives-syntax", ...nodeOptions, SCRIPT, ...options];
    const child = execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout));
      else reject(error);
    });
    child.stdin?.end(JSON.stringify(input));
  });
}

function figuresOf(told: string): Pick<Case, "fuel" | "digest"> {
  const { fuelUsed, ...rest } = JSON.parse(told);
  return {
    fuel: fuelUsed,
    digest: createHash("sha256").update(JSON.stringify(rest)).digest("hex").slice(0, 16),
  };
}

function expectedOf(name: string): Pick<Case, "fuel" | "digest"> {
  const { fuel, digest } = CASES[name] as Case;
  return { fuel, digest };
}

describe.each([
  ["the first compiler", ["--liftoff-only"], [], ["Liftoff", "Liftoff"]],
  ["the optimising compiler", ["--no-liftoff"], [], ["TurboFan", "TurboFan"]],
  ["both, one after the other", [], ["--tier-up"], ["Liftoff", "TurboFan"]],
])(
  "a thousand runs, by %s, give the same fuel, decision and logs:",
  (_what, nodeOptions, options, compilers) => {
    const all = runElsewhere(nodeOptions, options);

    test.each(names)("%s", async (name) => {
      const { seen, compilers: used } = (await all)[names.indexOf(name)] as ManyRuns;
      expect(used).toEqual(compilers);
      expect(seen.map(figuresOf)).toEqual([expectedOf(name)]);
    });
  },
);

/** In the form in which the script has it. */
function told({ result, durationMs: _, fuelUsed, peakMemoryBytes, logs }: SandboxRun): string {
  const outcome = "failure" in result ? { code: result.failure.code, data: result.failure.data } : result;
  return JSON.stringify({ outcome, fuelUsed, peakMemoryBytes, logs });
}

async function runHere<Module>(
  host: GuestHost<Module>,
  { bytes, request }: { bytes: Uint8Array; request: GuestRequest },
): Promise<string[]> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const module = await host.load(bytes, sha256, request.limits);
  const runs = await Promise.all(Array.from({ length: 3 }, () => host.run(module, request)));
  return runs.map(told);
}

const hosts = { threads: new Sandbox(), processes: new SandboxProcesses() };
afterAll(() => Promise.all([hosts.threads.close(), hosts.processes.close()]));

test.each(names)("in the product's own threads and processes as well: %s", async (name) => {
  const guest = guests[names.indexOf(name)];
  if (guest === undefined) throw new RangeError(name);
  const runs = [...(await runHere(hosts.threads, guest)), ...(await runHere(hosts.processes, guest))];
  for (const run of runs) expect(figuresOf(run)).toEqual(expectedOf(name));
});
