import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { buildHook } from "#src/build/build-hook";
import { componentFromWat, hookComponent, utf16HookComponent } from "../../support/components.js";
import * as guests from "../../support/guests.js";
import type { RunOptions } from "../run-guest.js";
import { bothWays } from "./both-ways.js";
import { FAILING, ODD } from "./odd-components.js";

const run = bothWays();
const EVENT = '{"event":"preToolCall","text":"é中😀"}';
const CONFIG = '{"paths":["é","😀"]}';
const PAGE = 65_536;

describe("a component with", () => {
  test.each(Object.entries({ ...ODD, ...FAILING }))("%s gives the same both ways", async (what, fields) => {
    const bytes = await componentFromWat(`(component ${fields})`);
    const [direct, transpiled] = await run(bytes, { event: EVENT, config: CONFIG });
    expect(direct).toEqual(transpiled);
    expect("ok" in (direct[0]?.result ?? {})).toBe(Object.hasOwn(ODD, what));
  });
});

/** The texts of guests by the names that they have in the tests' support. */
const GUESTS: [name: string, wat: string][] = [
  ...Object.entries(guests).flatMap(([name, value]): [string, string][] => {
    return name.endsWith("Guest") && typeof value === "string" ? [[name, value]] : [];
  }),
  ["constGuest", guests.constGuest('{"action":"deny","reason":"é"}')],
  ["errGuest", guests.errGuest("the config has no paths: é")],
  ["grepGuest", guests.grepGuest("中😀", '{"action":"ask"}')],
];

describe("a guest of the tests", () => {
  const runs: RunOptions[] = [
    { event: EVENT, config: CONFIG },
    { event: EVENT, limits: { fuel: 100 } },
    { event: EVENT, limits: { outputBytes: 20, logsBytes: 20 } },
    { event: "a".repeat(3 * PAGE), limits: { memoryBytes: 4 * PAGE } },
  ];

  test.each(GUESTS)("%s gives the same both ways", async (_name, wat) => {
    const [direct, transpiled] = await run(await hookComponent(wat), ...runs);
    expect(direct).toEqual(transpiled);
  });

  test.each(GUESTS)("%s gives the same both ways with its strings as UTF-16", async (_name, wat) => {
    const [direct, transpiled] = await run(await utf16HookComponent(wat), ...runs);
    expect(direct).toEqual(transpiled);
  });
});

describe("texts of every kind", () => {
  const texts = [
    "x",
    "a\0b",
    "é߿ࠀ￿",
    "😀\u{10ffff}𝔘",
    "\ufeff{}",
    "\u2028\u2029",
    JSON.stringify("\ud800 and \udc00"),
    "a".repeat(PAGE - 1),
    "a".repeat(PAGE),
    "é".repeat(PAGE / 2 + 1),
    `${"a".repeat(PAGE - 1026)}😀`,
    "aé中😀".repeat(10_000),
  ];
  const runs = texts.flatMap((text): RunOptions[] => [
    { event: text, config: text },
    { event: text, config: text, limits: { logsBytes: 7, outputBytes: 7 } },
  ]);

  test.each([
    ["echoed", guests.echoGuest],
    ["logged", guests.logGuest],
    ["configured", guests.configGuest],
  ])("are %s the same both ways, in both encodings", async (_how, wat) => {
    for (const bytes of [await hookComponent(wat), await utf16HookComponent(wat)]) {
      const [direct, transpiled] = await run(bytes, ...runs);
      expect(direct).toEqual(transpiled);
    }
  });
});

describe("the example", () => {
  const folder = new URL("../../../guest-examples/", import.meta.url);
  // In TypeScript it is several components, and what the transpiler makes of calls between them takes a newer engine.
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !entry.name.endsWith("-ts") ? [entry.name] : [],
  );

  test.each(names)("%s gives the same both ways, for each of its events", async (name) => {
    const { bytes } = await buildHook(new URL(`${name}/hook.ts`, folder).pathname);
    const { hooks } = parseYaml(readFileSync(new URL(`${name}/agent.yaml`, folder), "utf8"));
    const events = new URL(`${name}/events/`, folder);
    const configs = [
      null,
      ...Object.values(hooks)
        .flat()
        .map((hook) => (hook as { config?: unknown }).config ?? {}),
    ];
    const runs = readdirSync(events).flatMap((file) =>
      configs.map((config): RunOptions => {
        const event = JSON.stringify(JSON.parse(readFileSync(new URL(file, events), "utf8")));
        return { event, config: JSON.stringify(config) };
      }),
    );
    const [direct, transpiled] = await run(bytes, ...runs);
    expect(direct).toEqual(transpiled);
    expect(direct.some(({ result }) => "ok" in result)).toBe(true);
  });
});
