// By name: the types of the compiler that the example guests need declare a global `console` of their own.
import console from "node:console";
import { afterEach, beforeEach, expect, vi } from "vitest";

/** A test that prints is a test that hides something: any console output fails it. */
const METHODS = ["log", "info", "warn", "error", "debug"] as const;

beforeEach(() => {
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => {});
});

afterEach(() => {
  for (const method of METHODS) {
    const spy = vi.mocked(console[method]);
    const calls = spy.mock.calls.map((args) => args.join(" "));
    spy.mockRestore();
    expect(calls, `stray console.${method}`).toEqual([]);
  }
});
