/** What stands above context of hooks. Source: the `mm` document. */
const HEADING = "[context added by a hook]";

/** A prompt, or a tool's output, as the model reads it: with what hooks added, under a heading. */
export function withContext(text: string, context: string | undefined): string {
  if (context === undefined) return text;
  const above = text === "" ? "" : text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
  return `${above}${HEADING}\n${context}`;
}
