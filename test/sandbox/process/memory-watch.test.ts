import { describe, expect, test } from "vitest";
import { MemoryWatch } from "#src/sandbox/process/memory-watch";

const MIB = 1024 * 1024;

function watching() {
  const told: { heldBytes: number; limitBytes: number }[] = [];
  const watch = new MemoryWatch((heldBytes, limitBytes) => told.push({ heldBytes, limitBytes }));
  return { watch, told };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("the watch over a process's memory", () => {
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
    const { watch, told } = watching();
    watch.begin(64 * MIB);
    const held = Buffer.alloc(256 * MIB, 1);
    watch.end();
    const end = performance.now() + 300;
    while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    expect(told.length).toBeGreaterThan(5);
    let before: number;
    do {
      before = told.length;
      await pause(100);
    } while (told.length > before);
    expect(held[1]).toBe(1);
  });
});
