import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildHook } from "#src/build/build-hook";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { type GuestRequest, runGuest } from "#src/sandbox/instance";
import { prepare } from "#src/sandbox/prepare";
import type { CallNode } from "#src/sandbox/profile/call-tree";
import { type Profile, profileGuest } from "#src/sandbox/profile/profile-guest";
import { pagesIn, TABLE_ELEMENTS_LIMIT } from "#src/sandbox/tank";
import { componentFromWat, hookComponent } from "../../support/components.js";
import { guest } from "../../support/guests.js";
import { NOTHING } from "../run-guest.js";

const EVENT = '{"event":"preToolCall","cwd":"/","tool":{"name":"bash","input":{"command":"git push -f"}}}';

function requestOf(over: Partial<GuestRequest["limits"]> = {}, event = EVENT): GuestRequest {
  return { event, config: "null", limits: { ...DEFAULT_LIMITS, ...over } };
}

/** The same run without a profile. */
function plainRun(bytes: Uint8Array, request: GuestRequest) {
  const caps = { memoryPages: pagesIn(request.limits.memoryBytes), tableElements: TABLE_ELEMENTS_LIMIT };
  return runGuest(prepare({ bytes, caps }).guest, request);
}

function nodesOf(node: CallNode): CallNode[] {
  return [node, ...node.children.flatMap(nodesOf)];
}

/** What a function took itself, and how often it was called. */
function of({ functions, root }: Profile, name: string): { self: number; calls: number } {
  const index = functions.indexOf(name);
  expect([name, functions]).toEqual([name, expect.arrayContaining([name])]);
  const nodes = nodesOf(root).filter((node) => node.function === index);
  return {
    self: nodes.reduce((sum, { selfFuel }) => sum + selfFuel, 0),
    calls: nodes.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** That nothing is told otherwise than without a profile, and that the parts are the whole. */
function expectExact(bytes: Uint8Array, request: GuestRequest): Profile {
  const profile = profileGuest(bytes, request);
  expect(profile.report).toEqual(plainRun(bytes, request));
  const sum = nodesOf(profile.root).reduce((units, { selfFuel }) => units + selfFuel, 0);
  expect(sum).toBe(profile.report.fuelUsed);
  return profile;
}

// Each costs 1 for its entry and 1 for each instruction: src/sandbox/meter/cost-table.ts.
const FUNCTIONS = `
  (func $leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $twice (param i32) (result i32) (call $leaf (call $leaf (local.get 0))))
  (func $down (param i32) (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1))))))
  (table 1 funcref) (elem (i32.const 0) $leaf)`;

describe("a profile", () => {
  test("has for each function what its own instructions cost by the cost table, and its calls", async () => {
    const handle = `(drop (call $twice (i32.const 1))) (drop (call $twice (i32.const 1))) (call $down (i32.const 3)) ${NOTHING}`;
    const profile = expectExact(await hookComponent(guest({ fields: FUNCTIONS, handle })), requestOf());
    expect(of(profile, "leaf")).toEqual({ self: 4 * (1 + 3), calls: 4 });
    expect(of(profile, "twice")).toEqual({ self: 2 * (1 + 3), calls: 2 });
    // Its entry, the local and the `if`; and where it goes on, three instructions and the call.
    expect(of(profile, "down")).toEqual({ self: 4 * (1 + 2) + 3 * 4, calls: 4 });
  });

  test("tells of calls through a table, and of who called", async () => {
    const handle = `(drop (call_indirect (param i32) (result i32) (i32.const 7) (i32.const 0))) ${NOTHING}`;
    const profile = expectExact(await hookComponent(guest({ fields: FUNCTIONS, handle })), requestOf());
    expect(of(profile, "leaf")).toEqual({ self: 4, calls: 1 });
    const leaf = profile.functions.indexOf("leaf");
    const caller = nodesOf(profile.root).find(({ children }) =>
      children.some((one) => one.function === leaf),
    );
    expect(profile.functions[caller?.function ?? -1]).toContain("handle");
  });

  test.each([
    ["runs out of fuel", "(loop $l (drop (call $leaf (i32.const 1))) (br $l)) unreachable", "out-of-fuel"],
    ["traps", "(drop (call $leaf (i32.const 1))) unreachable", "trap"],
  ])("is of a run too that %s", async (_, handle, code) => {
    const bytes = await hookComponent(guest({ fields: FUNCTIONS, handle }));
    const profile = expectExact(bytes, requestOf({ fuel: 20_000 }));
    expect(profile.report.result).toMatchObject({ failure: { code } });
    expect(of(profile, "leaf").calls).toBeGreaterThan(0);
  });

  test("is exact for a command, whose clock goes by fuel", async () => {
    // It prints the lower half of each byte of the time as a letter, after a call.
    const clock = `(module
      (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1)
      (func $letter (param i32)
        (i32.store8 offset=64 (local.get 0)
          (i32.add (i32.const 97) (i32.and (i32.const 15) (i32.load8_u offset=32 (local.get 0))))))
      (func (export "_start") (local $i i32)
        (call $letter (i32.const 0))
        (drop (call $time (i32.const 0) (i64.const 0) (i32.const 32)))
        (loop $l (call $letter (local.get $i))
          (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 8))))
        (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 8))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))))`;
    const { report } = expectExact(await componentFromWat(clock), requestOf());
    expect(report.result).toMatchObject({ exit: { stdout: expect.stringMatching(/^[a-p]{8}$/) } });
  });

  test("is exact for the examples, whatever they do", async () => {
    const examples = new URL("../../../guest-examples/", import.meta.url);
    for (const name of ["no-force-push", "redact-secrets", "no-force-push-ts"]) {
      const { bytes } = await buildHook(new URL(`${name}/hook.ts`, examples).pathname);
      const events = new URL(`${name}/events/`, examples);
      const [first = ""] = readdirSync(events).filter((file) => !file.includes("expected"));
      expectExact(bytes, requestOf({}, readFileSync(new URL(first, events), "utf8")));
    }
  });

  test("has the names that a build for a profile keeps, and the fuel of one that does not", async () => {
    const source = new URL("../../../guest-examples/no-force-push/hook.ts", import.meta.url).pathname;
    const named = expectExact((await buildHook(source, { names: true })).bytes, requestOf());
    const { report } = profileGuest((await buildHook(source)).bytes, requestOf());
    expect(named.report.fuelUsed).toBe(report.fuelUsed);
    expect(named.functions).toContain("git/forcesPush");
  });

  test("names functions by their export or their index where there is no name section, or a damaged one", async () => {
    const wat = `(module (memory (export "memory") 1) (func (export "_start") (call 1)) (func))`;
    const bytes = await componentFromWat(wat);
    expect(profileGuest(bytes, requestOf()).functions).toEqual(["_start", "func 1"]);
    const damaged = Uint8Array.of(...bytes, 0, 7, 4, 0x6e, 0x61, 0x6d, 0x65, 1, 0x7f);
    expect(profileGuest(damaged, requestOf()).functions).toEqual(["_start", "func 1"]);
  });

  test("refuses what a run refuses", () => {
    expect(() => profileGuest(Uint8Array.of(1, 2, 3, 4), requestOf())).toThrow(
      expect.objectContaining({ code: expect.any(String) }),
    );
  });
});
