import type { Dialect, DialectName } from "./dialect.js";
import { mm } from "./mm.js";
import { mnemoai } from "./mnemoai.js";

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { mm, mnemoai };

export function dialectNamed(name: DialectName): Dialect {
  return DIALECTS[name];
}
