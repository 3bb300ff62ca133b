import { Decision, Event, config, context, fail } from "wasmhook/guest";

/** Adds the configured text to every prompt. */
export function handle(event: Event): Decision | null {
  if (event.moment != "preGeneration") return null;
  const lines = config().get("text").strings();
  if (lines.length == 0) return fail('config has no "text": give a string, or a list of lines');
  return context(lines.join("\n"));
}
