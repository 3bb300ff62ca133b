import { join } from "node:path";
import { beforeAll, expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { type HookEvent, type Hooks, loadHooks, type Outcome } from "#src/index";
import { folder } from "../support/cli.js";
import { hookComponent } from "../support/components.js";
import { constGuest, grepGuest } from "../support/guests.js";

/** The two kinds of hooks: what the documents say of a hook holds for both. */
export const KINDS = ["command", "wasm"] as const;
export type Kind = (typeof KINDS)[number];

/** What runs in a hook; a module is written beside the config file. */
export type Runner = { command: string } | { wasm: Uint8Array };
export type Declared = Runner & Record<string, unknown>;

const compiled = new Map<string, Promise<Uint8Array>>();

/** The component of the text of a guest, made once. */
export function component(wat: string): Promise<Uint8Array> {
  const made = compiled.get(wat) ?? hookComponent(wat);
  compiled.set(wat, made);
  return made;
}

/** A hook of either kind, from the two ways in which it is written. */
export async function hook(kind: Kind, ways: { command: string; wasm: string }): Promise<Runner> {
  return kind === "command" ? { command: ways.command } : { wasm: await component(ways.wasm) };
}

/** A hook that gives this answer to every event. */
export function says(kind: Kind, said: string | object): Promise<Runner> {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  return hook(kind, { command: prints(text), wasm: constGuest(text) });
}

/** A hook that gives this answer to an event whose JSON holds `needle`, and none to others. */
export function saysWhere(kind: Kind, needle: string, said: object): Promise<Runner> {
  const text = JSON.stringify(said);
  return hook(kind, {
    command: `if grep -qF '${needle}'; then ${prints(text)}; fi`,
    wasm: grepGuest(needle, text),
  });
}

/** A command line that prints a text. */
export function prints(text: string): string {
  return `printf %s '${text.replaceAll("'", `'\\''`)}'`;
}

/** Loads a config file in this process, for the running test. */
export async function load(config: string): Promise<Hooks> {
  const hooks = await loadHooks(config);
  onTestFinished(() => hooks.close());
  expect(hooks.problems).toEqual([]);
  return hooks;
}

/** Loads a config file once for all tests of the suite that it is called in: loading modules takes its time. */
export function sharedHooks(config: () => Promise<string>): { hooks: Hooks } {
  const shared = {} as { hooks: Hooks };
  beforeAll(async () => {
    shared.hooks = await loadHooks(await config());
    expect(shared.hooks.problems).toEqual([]);
    return () => shared.hooks.close();
  });
  return shared;
}

/** What one event comes to, in this process. */
export async function outcomeOf(config: string, event: HookEvent): Promise<Outcome> {
  return (await load(config)).run(event);
}

/** Writes an agent's YAML with these hooks. @returns its path */
export async function mmAgent(
  hooks: Record<string, Declared[]>,
  { rest = {}, files = {} }: { rest?: object; files?: Record<string, string | Uint8Array> } = {},
): Promise<string> {
  const modules: Record<string, Uint8Array> = {};
  const written = Object.entries(hooks).map(([event, list]) => [
    event,
    list.map((declared, index) => withPath(declared, `${event}-${index}.wasm`, modules)),
  ]);
  const text = stringify({ ...rest, hooks: Object.fromEntries(written) });
  return join(await folder({ ...files, ...modules, "agent.yaml": text }), "agent.yaml");
}

/** Writes a `hooks.json` in which all of these hooks stand under one matcher each. @returns its path */
export async function hooksJson(
  hooks: Record<string, (Declared & { matcher?: string })[]>,
  { files = {} }: { files?: Record<string, string | Uint8Array> } = {},
): Promise<string> {
  const modules: Record<string, Uint8Array> = {};
  const written = Object.entries(hooks).map(([event, list]) => [
    event,
    list.map(({ matcher, ...declared }, index) => ({
      matcher,
      hooks: [
        {
          type: "wasm" in declared ? "wasm" : "command",
          ...withPath(declared as Declared, `${event}-${index}.wasm`, modules),
        },
      ],
    })),
  ]);
  const text = JSON.stringify({ hooks: Object.fromEntries(written) }, null, 2);
  return join(await folder({ ...files, ...modules, "hooks.json": text }), "hooks.json");
}

function withPath(declared: Declared, file: string, modules: Record<string, Uint8Array>): object {
  const { wasm } = declared as { wasm?: Uint8Array };
  if (wasm === undefined) return declared;
  modules[file] = wasm;
  return { ...declared, wasm: file };
}
