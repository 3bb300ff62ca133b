import { createHash } from "node:crypto";
import { WasmhookError } from "#src/errors";
import type { GuestReport } from "#src/sandbox/instance";
import { Sandbox } from "#src/sandbox/sandbox";
import { type Checked, codeOf, Finding, LIMITS, REQUEST, told } from "./check.js";

/** What our own linking is stricter in than the transpiler's: values, and where a guest may call out. */
const STRICTER = new Set(["bad-output", "trap", "stack-exhausted"]);

/** Compares what a component comes to with what it does as the transpiler links it. */
export class BothLinkings {
  readonly #sandbox = new Sandbox({ linking: "transpiled", workers: 1 });

  /** @returns whether there was anything to compare. @throws Finding */
  async compare(bytes: Uint8Array, { report }: Checked): Promise<boolean> {
    if (report === undefined || STRICTER.has(codeOf(report))) return false;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    try {
      const module = await this.#sandbox.load(bytes, sha256, LIMITS);
      const { durationMs: _, ...other } = await this.#sandbox.run(module, REQUEST);
      const actual = told(other as GuestReport);
      if (actual !== told(report))
        throw new Finding(`linked by the transpiler: ${actual}\nby us: ${told(report)}`);
      return true;
    } catch (error) {
      // Its validator refuses more than we have to.
      if (error instanceof WasmhookError) return false;
      throw error;
    }
  }
}
