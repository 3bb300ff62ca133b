import { extname } from "node:path";
import type { DialectName } from "../dialects/dialect.js";

const MM_EVENT_KEY = /"(?:pre|post)(?:Generation|ToolCall)"\s*:/;

/**
 * The dialect that a config file is written in: YAML is `mm`, JSON is `mnemoai` unless it speaks of the
 * events of `mm`. The name tells first, then what the file starts with.
 */
export function dialectOf(file: string, text: string): DialectName {
  const extension = extname(file).toLowerCase();
  if (extension === ".yaml" || extension === ".yml") return "mm";
  if (extension !== ".json" && !text.trimStart().startsWith("{")) return "mm";
  return MM_EVENT_KEY.test(text) ? "mm" : "mnemoai";
}
