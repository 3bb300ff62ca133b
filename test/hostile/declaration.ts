import { join } from "node:path";
import { stringify } from "yaml";
import { folder } from "../support/cli.js";
import { FRIENDLY } from "./expected.js";
import type { Case } from "./hostile.js";

/** Writes an agent's file that declares each guest for the tool of its name. @returns its path */
export async function declare(guests: Record<string, Case>): Promise<string> {
  const files: Record<string, Uint8Array> = {};
  const declared: object[] = [];
  for (const [tool, { guest, limits, config }] of Object.entries(guests)) {
    files[`${tool}.wasm`] = await guest();
    declared.push({
      matcher: `^${tool}$`,
      wasm: `${tool}.wasm`,
      onError: "warn",
      ...(limits === undefined ? {} : { limits }),
      ...(config === undefined ? {} : { config }),
    });
  }
  const agent = stringify({ hooks: { preToolCall: declared } });
  return join(await folder({ ...files, "agent.yaml": agent }), "agent.yaml");
}

/** The same, with the friendly guest last. */
export function declareBesideFriendly(guests: Record<string, Case>): Promise<string> {
  return declare({ ...guests, [FRIENDLY.tool]: FRIENDLY });
}
