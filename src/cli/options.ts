import { type ParseArgsConfig, parseArgs } from "node:util";
import { DIALECT_NAMES, type DialectName } from "../dialects/dialect.js";
import { WasmhookError } from "../errors.js";
import { nearest } from "../hooks/nearest.js";

/** What every verb takes that reads a config file. */
export const CONFIG_OPTIONS = {
  config: { type: "string" },
  dialect: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: boolean; strict: true }>
>;

/** A verb's arguments, by Node's own parser. @throws WasmhookError `usage` */
export function parseOptions<T extends Options>(
  args: string[],
  options: T,
  { positionals = false } = {},
): Parsed<T> {
  try {
    return parseArgs({ args, options, allowPositionals: positionals, strict: true });
  } catch (error) {
    const unknown =
      error instanceof Error ? /Unknown option '-*([^']*)'/.exec(error.message)?.[1] : undefined;
    const meant = unknown === undefined ? undefined : nearest(unknown, Object.keys(options));
    const said = error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error);
    throw usage(`${said}${meant === undefined ? "" : `: did you mean --${meant}?`}`);
  }
}

/** @throws WasmhookError `usage` where it is missing */
export function required(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw usage(`give ${name}`);
  return value;
}

/** @throws WasmhookError `usage` where it is none of those that are known */
export function oneOf<T extends string>(known: readonly T[], option: string, value: string): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw usage(`${option} ${value} is not known: use ${known.join(", ")}`);
  return found;
}

/** @throws WasmhookError `usage` where it is no dialect */
export function dialectOption(value: string | undefined): { dialect?: DialectName } {
  if (value === undefined) return {};
  const dialect = DIALECT_NAMES.find((name) => name === value);
  if (dialect === undefined)
    throw usage(`--dialect ${value} is not known: use ${DIALECT_NAMES.join(" or ")}`);
  return { dialect };
}

export function usage(message: string): WasmhookError<"usage"> {
  return new WasmhookError("usage", message, {});
}
