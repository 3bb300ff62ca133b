import type { Call } from "wasmhook";

/** What is never run, whatever anybody allows. */
const CATASTROPHES = [/\brm\s+-\w*[rf]\w*\s+(\/|~)(\s|$)/, /\bmkfs\b/, /\bdd\b.*\bof=\/dev\//, /:\(\)\s*\{/];

export function floor({ input }: Call): string | undefined {
  const command = typeof input.command === "string" ? input.command : "";
  return CATASTROPHES.some((pattern) => pattern.test(command))
    ? "This is never run here: it would destroy the system."
    : undefined;
}

const READS: readonly string[] = ["fs_read", "delegate"];

export function planOnly({ name }: Call): string | undefined {
  return READS.includes(name) ? undefined : "The agent only plans: read, and tell what you would do.";
}
