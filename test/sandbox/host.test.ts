import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { HOST_CALL_FUEL, Host, TEXT_BYTES_LIMIT } from "#src/sandbox/host";

const hostWith = (limits: Partial<typeof DEFAULT_LIMITS>) =>
  new Host({ ...DEFAULT_LIMITS, ...limits }, "null");

describe("a function of the host", () => {
  test("that uses up the fuel itself ends the guest by a trap, as one that could not be paid does", () => {
    const host = hostWith({ fuel: HOST_CALL_FUEL + 1 });
    const spend = host.guard(() => host.tank.charge(2));
    expect(spend).toThrow(new WebAssembly.RuntimeError("unreachable"));
    expect(host.tank.exhausted).toBe(true);
  });

  test("gives what it gives where it was paid", () => {
    const host = hostWith({ fuel: HOST_CALL_FUEL });
    expect(host.guard((a: number, b: number) => a + b)(1, 2)).toBe(3);
  });
});

describe("text out of a guest", () => {
  test("that cannot be paid is not read", () => {
    const host = hostWith({ fuel: 20 });
    expect(host.admit(10, false)).toBe(10);
    expect(() => host.admit(1, false)).toThrow("out of fuel");
  });

  test("is cut in the log to what a worker can hold, whatever the hook's limit", () => {
    const host = hostWith({ fuel: 1e12, logsBytes: 2 * TEXT_BYTES_LIMIT });
    const admitted = host.guard(() => host.admit(TEXT_BYTES_LIMIT + 1, false));
    expect(admitted()).toBe(TEXT_BYTES_LIMIT);
  });
});
