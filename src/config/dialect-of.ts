import { extname } from "node:path";
import type { DialectName } from "../dialects/dialect.js";
import { MNEMOAI_EVENTS } from "../dialects/mnemoai.js";
import { MOMENTS } from "../hooks/event.js";
import { readJson } from "./json-tree.js";
import { allOf } from "./tree.js";

/**
 * The dialect that a config file is written in: YAML is `mm`, JSON is `mnemoai` unless its events are those
 * of `mm` only. The name tells first, then what the file starts with.
 */
export function dialectOf(file: string, text: string): DialectName {
  const extension = extname(file).toLowerCase();
  if (extension === ".yaml" || extension === ".yml") return "mm";
  if (extension !== ".json" && !text.trimStart().startsWith("{")) return "mm";
  const keys = eventKeys(text);
  const isOfMm = MOMENTS.some((name) => keys.has(name));
  return isOfMm && !Object.keys(MNEMOAI_EVENTS).some((name) => keys.has(name)) ? "mm" : "mnemoai";
}

/** The keys where events may stand: at the top, and under `hooks`. */
function eventKeys(text: string): Set<string> {
  const top = readJson(text, () => {});
  if (top?.kind !== "map") return new Set();
  const nested = allOf(top.entries.get("hooks")).flatMap(({ value }) =>
    value.kind === "map" ? [...value.entries.keys()] : [],
  );
  return new Set([...top.entries.keys(), ...nested]);
}
