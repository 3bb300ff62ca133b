const MASK = "[redacted]";

/** Takes secrets out of texts, wherever one of the patterns matches. */
export function redactor(patterns: readonly RegExp[]): (text: string) => string {
  const all = patterns.map((pattern) => new RegExp(pattern.source, withGlobal(pattern.flags)));
  return (text) => all.reduce((left, pattern) => left.replace(pattern, MASK), text);
}

function withGlobal(flags: string): string {
  return `${flags.replace(/[gy]/g, "")}g`;
}
