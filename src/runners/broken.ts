import type { Runner } from "./runner.js";

/** Fails for every hook that its config file left unable to run. */
export const brokenRunner: Runner = {
  async run({ id, runner }) {
    if (runner.kind !== "broken") throw new TypeError(`the hook ${id} is not broken`);
    return { durationMs: 0, failure: runner.failure };
  },
  async close() {},
};
