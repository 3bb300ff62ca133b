import { describe, expect, test } from "vitest";
import { ProcessWatch } from "#src/sandbox/process/process-watch";

const MIB = 1024 * 1024;

function watching() {
  const told: { heldBytes: number; limitBytes: number }[] = [];
  const laden: number[] = [];
  const quiet: number[] = [];
  const watch = new ProcessWatch({
    onExcess: (heldBytes, limitBytes) => told.push({ heldBytes, limitBytes }),
    onQuiet: () => quiet.push(told.length),
    onLaden: () => laden.push(process.cpuUsage(start).user / 1000),
  });
  const start = process.cpuUsage();
  return { watch, told, laden, quiet };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Takes a processor's time, with turns for timers in between. */
async function work(cpuMs: number): Promise<void> {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user / 1000 < cpuMs) await new Promise((resolve) => setImmediate(resolve));
}

describe("the watch over a process", () => {
  test("tells of what is held beyond what was allowed, with both figures", async () => {
    const { watch, told } = watching();
    watch.begin(64 * MIB);
    const held = Buffer.alloc(256 * MIB, 1);
    await pause(200);
    watch.end();
    expect(told[0]?.heldBytes).toBeGreaterThan(told[0]?.limitBytes ?? Infinity);
    expect(told[0]?.heldBytes).toBeGreaterThan(held.length);
  });

  test("says nothing of what was allowed", async () => {
    const { watch, told } = watching();
    watch.begin(1024 * MIB);
    const held = Buffer.alloc(128 * MIB, 1);
    await pause(200);
    watch.end();
    expect([told, held.length]).toEqual([[], 128 * MIB]);
  });

  test("goes on behind an answer while the process is at work, and stops when it is quiet", async () => {
    const { watch, told, quiet } = watching();
    watch.begin(64 * MIB);
    const held = Buffer.alloc(256 * MIB, 1);
    watch.end();
    await work(300);
    expect(told.length).toBeGreaterThan(5);
    while (quiet.length === 0) await pause(20);
    await pause(100);
    expect(quiet).toEqual([told.length]);
    expect(held[1]).toBe(1);
  });

  test("tells of work that goes on for long behind an answer, and of none before it", async () => {
    const { watch, laden } = watching();
    watch.begin(1024 * MIB);
    await work(800);
    expect(laden).toEqual([]);
    watch.end();
    await work(200);
    expect(laden).toEqual([]);
    await work(2_000);
    expect(laden.length).toBeGreaterThan(0);
  });
});
