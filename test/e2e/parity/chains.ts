import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { buildHook } from "#src/build/build-hook";
import { type HookEvent, type Hooks, loadHooks } from "#src/index";
import { type Declared, hooksJson, mmAgent } from "../hooks.js";
import { type Said, saidIn } from "./said.js";

/** A chain of guards: `c` is the guard as a command, `w` as a wasm module. */
export type Chain = "c" | "w" | "cc" | "ww" | "cw" | "wc" | "ccc" | "www" | "cwc";

const COMMAND = `"${process.execPath}" "${fileURLToPath(new URL("command/guard.cjs", import.meta.url))}"`;
const WASM_SOURCE = fileURLToPath(new URL("guest/guard.ts", import.meta.url));

/** No guard takes that long, but a busy machine may take its time to start one. */
const TIMEOUT_SECONDS = 120;

const DIALECTS = {
  mm: {
    events: ["preGeneration", "preToolCall", "postToolCall", "postGeneration"],
    onError: "fail",
    write: mmAgent,
  },
  mnemoai: {
    events: ["PreToolUse", "PostToolUse", "PostToolUseFailure"],
    onError: "warn",
    write: hooksJson,
  },
} as const;

let building: Promise<Uint8Array> | undefined;

async function build(): Promise<Uint8Array> {
  return (await buildHook(WASM_SOURCE)).bytes;
}

/** Chains of guards in config files of one dialect, each written and loaded once. */
export class Chains {
  readonly dialect: keyof typeof DIALECTS;
  private readonly configs = new Map<Chain, Promise<string>>();
  private readonly loaded = new Map<Chain, Promise<Hooks>>();

  constructor(dialect: keyof typeof DIALECTS) {
    this.dialect = dialect;
    afterAll(async () => {
      for (const hooks of this.loaded.values()) await (await hooks).close();
    });
  }

  /** The path of a file in which a chain is declared for every event. */
  config(chain: Chain): Promise<string> {
    return once(this.configs, chain, async () => {
      building ??= build();
      const wasm = await building;
      const { events, onError, write } = DIALECTS[this.dialect];
      const hooks = [...chain].map(
        (kind): Declared => ({
          ...(kind === "c" ? { command: COMMAND } : { wasm }),
          onError,
          timeout: TIMEOUT_SECONDS,
        }),
      );
      return write(Object.fromEntries(events.map((event) => [event, hooks])));
    });
  }

  /** What a chain comes to, in this process. */
  async run(chain: Chain, event: HookEvent): Promise<Said> {
    const hooks = await once(this.loaded, chain, async () => {
      const loaded = await loadHooks(await this.config(chain));
      if (loaded.problems.length > 0) throw new Error(JSON.stringify(loaded.problems));
      return loaded;
    });
    return saidIn(await hooks.run(event));
  }
}

function once<Key, Value>(made: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>) {
  const value = made.get(key) ?? make();
  made.set(key, value);
  return value;
}
