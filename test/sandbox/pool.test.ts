import { afterEach, describe, expect, test } from "vitest";
import { NodeWorker } from "#src/sandbox/node-worker";
import { Pool, type PoolPlan } from "#src/sandbox/pool";
import { Turns } from "#src/sandbox/turns";

/** A worker that does what it is told: the source of an async function of the text that came along. */
const OBEDIENT = `
  const { parentPort, threadId } = await import("node:worker_threads");
  const calls = [];
  parentPort.on("message", async ({ does, text }) => {
    calls.push(text);
    const AsyncFunction = (async () => {}).constructor;
    const said = await new AsyncFunction("text", "calls", does)(text, calls);
    parentPort.postMessage({ said, threadId });
  });
  parentPort.postMessage("ready");`;

interface Call {
  does: string;
  text: string;
}
interface Reply {
  said: unknown;
  threadId: number;
}

const SAY = "return text";
const HANG = "for (;;) {}";

const pools: Pool<Call, Reply>[] = [];
let started = 0;

function poolOf(plan: Partial<PoolPlan<Call, Reply>> = {}, source = OBEDIENT): Pool<Call, Reply> {
  const file = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const pool = new Pool<Call, Reply>({
    turns: new Turns(1),
    start: () => {
      started++;
      return new NodeWorker({ file, name: "test worker", heapBytes: 16 * 1024 * 1024 });
    },
    reusable: ({ said }) => said !== "discard me",
    ...plan,
  });
  pools.push(pool);
  return pool;
}

async function tell(
  pool: Pool<Call, Reply>,
  does: string,
  { text = "", key = "", deadlineMs = 8_000, signal = undefined as AbortSignal | undefined } = {},
): Promise<Reply> {
  return (await pool.call(key, () => ({ message: { does, text }, deadlineMs }), signal)).reply;
}

function liveWorkers(): number {
  const report = process.report.getReport() as unknown as { workers: unknown[] };
  return report.workers.length;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  started = 0;
});

describe("calls", () => {
  test("no worker is started before the first call, and one serves call after call", async () => {
    const pool = poolOf({ turns: new Turns(2) });
    expect(started).toBe(0);
    const said = [];
    for (const text of ["a", "b", "c"]) {
      said.push((await tell(pool, SAY, { text, signal: AbortSignal.timeout(8_000) })).said);
    }
    expect([said, started]).toEqual([["a", "b", "c"], 1]);
  });

  test("fifty calls at once are all answered, on no more workers than the pool may have", async () => {
    const pool = poolOf({ turns: new Turns(3) });
    const texts = Array.from({ length: 50 }, (_, i) => `call ${i}`);
    const replies = await Promise.all(texts.map((text) => tell(pool, SAY, { text })));
    expect(replies.map(({ said }) => said)).toEqual(texts);
    expect(started).toBe(3);
  });

  test("calls are served first come, first served", async () => {
    const pool = poolOf();
    const order: string[] = [];
    await Promise.all(
      ["1", "2", "3", "4"].map(async (text) => order.push((await tell(pool, SAY, { text })).said as string)),
    );
    expect(order).toEqual(["1", "2", "3", "4"]);
  });

  test("a worker is told whether it has had a call of this key, and the same worker is preferred", async () => {
    const pool = poolOf({ turns: new Turns(2) });
    const ask = (key: string) =>
      pool.call(key, (known) => ({ message: { does: SAY, text: `${key} ${known}` }, deadlineMs: 20_000 }));
    const first = (await Promise.all([ask("a"), ask("b")])).map(({ reply }) => reply);
    const again = [(await ask("a")).reply, (await ask("b")).reply, (await ask("c")).reply];
    expect(first.map(({ said }) => said)).toEqual(["a false", "b false"]);
    expect(again.map(({ said }) => said)).toEqual(["a true", "b true", "c false"]);
    expect(again.slice(0, 2).map(({ threadId }) => threadId)).toEqual(first.map(({ threadId }) => threadId));
  });

  test("a worker whose reply says that it is spent is not used again", async () => {
    const pool = poolOf();
    const spent = await tell(pool, SAY, { text: "discard me" });
    const next = await tell(pool, SAY);
    expect(next.threadId).not.toBe(spent.threadId);
  });

  test("an idle worker is ended after the time that the plan gives", async () => {
    const pool = poolOf({ idleMs: 1 });
    const before = await tell(pool, SAY);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const after = await tell(pool, SAY);
    expect(after.threadId).not.toBe(before.threadId);
  });
});

describe("turns", () => {
  test("are shared between pools, and given back by what failed too", async () => {
    const turns = new Turns(1);
    const [one, other] = [poolOf({ turns }), poolOf({ turns })];
    const order: string[] = [];
    const note = (what: string) => () => order.push(what);
    await Promise.all([
      tell(one, HANG, { deadlineMs: 300 }).catch(note("hung")),
      tell(other, SAY).then(note("said")),
      tell(one, SAY).then(note("said again")),
    ]);
    expect(order).toEqual(["hung", "said", "said again"]);
  });

  test("who leaves the queue, by a signal or with its pool, takes none", async () => {
    const turns = new Turns(1);
    const [one, other] = [poolOf({ turns }), poolOf({ turns })];
    const hanging = tell(one, HANG).catch(() => {});
    const impatient = tell(other, SAY, { signal: AbortSignal.timeout(50) });
    await expect(impatient).rejects.toMatchObject({ code: "aborted" });
    const closing = expect(tell(other, SAY)).rejects.toMatchObject({ code: "closed" });
    await other.close();
    await closing;
    await one.close();
    await hanging;
    expect((await tell(poolOf({ turns }), SAY, { text: "next" })).said).toBe("next");
  });
});

describe("failures", () => {
  test.each([
    ["hangs", HANG, "deadline"],
    ["never answers", "await new Promise(() => setInterval(() => {}, 1000))", "deadline"],
    ["fills its heap", "const all = []; for (;;) all.push({ size: all.length })", "out-of-memory"],
    ["exits", "process.exit(3)", "worker-died"],
    ["throws", "setTimeout(() => { throw new Error('oops') }); await new Promise(() => {})", "worker-died"],
    ["gives what cannot be sent", "return () => {}", "worker-died"],
  ])("a worker that %s is one failed call, and the next is answered", async (_what, does, code) => {
    const pool = poolOf();
    const deadlineMs = code === "deadline" ? 300 : 8_000;
    await expect(tell(pool, does, { deadlineMs })).rejects.toMatchObject({ code });
    expect((await tell(pool, SAY, { text: "next" })).said).toBe("next");
    expect(started).toBe(2);
  });

  test("a worker that cannot even start is a failed call", async () => {
    const pool = poolOf({}, "throw new Error('no start')");
    await expect(tell(pool, SAY)).rejects.toMatchObject({
      code: "worker-died",
      message: expect.stringMatching(/no start/),
    });
  });

  test("a thread that the system refuses is a failed call, and does not take the place of another", async () => {
    let refuse = true;
    const pool = poolOf({
      start: () => {
        if (refuse) throw new Error("ERR_WORKER_INIT_FAILED");
        return new NodeWorker({
          file: new URL(`data:text/javascript,${encodeURIComponent(OBEDIENT)}`),
          name: "test worker",
          heapBytes: 16 * 1024 * 1024,
        });
      },
    });
    await expect(tell(pool, SAY)).rejects.toMatchObject({
      code: "worker-died",
      message: expect.stringMatching(/no worker can be started/),
    });
    refuse = false;
    expect((await tell(pool, SAY, { text: "next" })).said).toBe("next");
  });

  test("what may be the fault of another call's key is tried once more, in a new worker", async () => {
    const pool = poolOf({ mayBeOthers: ({ code }) => code === "worker-died" });
    const DIES_UNLESS_ALONE = "if (calls.length > 1) process.exit(); return text";
    await tell(pool, SAY, { key: "other" });
    expect((await tell(pool, DIES_UNLESS_ALONE, { key: "mine", text: "again" })).said).toBe("again");
    expect(started).toBe(2);
    await tell(pool, SAY, { key: "mine" }).catch(() => {});
    await expect(tell(pool, "process.exit()", { key: "mine" })).rejects.toMatchObject({
      code: "worker-died",
    });
    expect(started).toBe(2);
    await tell(pool, SAY, { key: "other" });
    await expect(tell(pool, "process.exit()", { key: "mine" })).rejects.toMatchObject({
      code: "worker-died",
    });
    expect(started).toBe(4);
    await tell(pool, SAY, { key: "other" });
    await expect(tell(pool, HANG, { key: "mine", deadlineMs: 200 })).rejects.toMatchObject({
      code: "deadline",
    });
    expect(started).toBe(5);
  });

  test("a worker that dies while it is idle is replaced unnoticed", async () => {
    const pool = poolOf();
    await tell(pool, "setTimeout(() => process.exit(), 10)");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await tell(pool, SAY, { text: "next" })).said).toBe("next");
  });

  test("the deadline does not count the time in the queue", async () => {
    const pool = poolOf();
    await tell(pool, SAY);
    const slow = tell(pool, "const end = Date.now() + 600; while (Date.now() < end); return text");
    const queued = tell(pool, SAY, { text: "in time", deadlineMs: 500 });
    await slow;
    expect((await queued).said).toBe("in time");
  });

  test("a failed call does not hold up those behind it", async () => {
    const pool = poolOf();
    const outcomes = await Promise.allSettled([
      tell(pool, HANG, { deadlineMs: 200 }),
      tell(pool, SAY, { text: "b" }),
      tell(pool, HANG, { deadlineMs: 200 }),
      tell(pool, SAY, { text: "d" }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
  });
});

describe("abort and close", () => {
  test("a call is aborted while it runs, while it waits, and before it starts", async () => {
    const pool = poolOf();
    const running = new AbortController();
    const waiting = new AbortController();
    const first = tell(pool, HANG, { signal: running.signal });
    const second = tell(pool, SAY, { signal: waiting.signal });
    waiting.abort();
    await expect(second).rejects.toMatchObject({ code: "aborted" });
    setTimeout(() => running.abort(), 50);
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    await expect(tell(pool, SAY, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    expect((await tell(pool, SAY, { text: "next" })).said).toBe("next");
  });

  test("a signal that is aborted after the answer ends nothing", async () => {
    const pool = poolOf();
    const done = new AbortController();
    const before = await tell(pool, SAY, { signal: done.signal });
    done.abort();
    expect((await tell(pool, SAY)).threadId).toBe(before.threadId);
  });

  test("closing refuses what runs, what waits and what comes", async () => {
    const pool = poolOf();
    const calls = [tell(pool, HANG), tell(pool, SAY), tell(pool, SAY)];
    const outcomes = Promise.allSettled(calls);
    await pool.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: "closed" } });
    expect(liveWorkers()).toBe(0);
    await expect(tell(pool, SAY)).rejects.toMatchObject({ code: "closed" });
    await pool.close();
  });

  test("a pool that is closed refuses what comes at once, though others have all the turns", async () => {
    const turns = new Turns(1);
    const [busy, done] = [poolOf({ turns }), poolOf({ turns })];
    const hanging = expect(tell(busy, HANG)).rejects.toMatchObject({ code: "closed" });
    await done.close();
    const late = tell(done, SAY, { signal: AbortSignal.timeout(2_000) });
    await expect(late).rejects.toMatchObject({ code: "closed" });
    await busy.close();
    await hanging;
  });

  test("closing while a worker starts ends that worker too", async () => {
    const pool = poolOf();
    const call = expect(tell(pool, SAY)).rejects.toMatchObject({ code: "closed" });
    await new Promise((resolve) => setImmediate(resolve));
    await pool.close();
    await call;
    expect(liveWorkers()).toBe(0);
  });
});
