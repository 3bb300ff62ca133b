import type { ComponentTypeDef, FuncType, ValueType } from "../binary/component-types.js";

/** What an interface of the contract holds, by name. A type stands for itself, a function for its type. */
export type ContractInterface = Readonly<Record<string, ComponentTypeDef>>;

const string: ValueType = { kind: "string" };
const level: ValueType = { kind: "enum", labels: ["debug", "info", "warn", "error"] };

function func(params: Record<string, ValueType>, result?: ValueType): FuncType {
  const fields = Object.entries(params).map(([name, type]) => ({ name, type }));
  return { kind: "func", params: fields, result };
}

/** `wit/hook.wit`, the world `hook`, as types: a test holds the two together. */
export const CONTRACT = {
  package: "wasmhook:hook",
  version: "1.0.0",
  /** What a guest may import, any part of it. */
  imports: {
    host: { level, log: func({ level, message: string }), config: func({}, string) },
  },
  /** What a guest must export, all of it and nothing else. */
  exports: {
    handler: { handle: func({ event: string }, { kind: "result", ok: string, error: string }) },
  },
} as const satisfies {
  package: string;
  version: string;
  imports: Record<string, ContractInterface>;
  exports: Record<string, ContractInterface>;
};

/** The full name of an interface of the contract. */
export function interfaceName(name: "host" | "handler"): string {
  return `${CONTRACT.package}/${name}@${CONTRACT.version}`;
}

/** The versions of the contract that this host speaks. */
export const SPOKEN_VERSIONS: readonly string[] = [CONTRACT.version];
