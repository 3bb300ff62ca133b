import { closest, distance } from "fastest-levenshtein";

/** The known word that somebody who wrote `word` most likely meant, if any is near enough to say so. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || word.length > 64) return undefined;
  const lower = word.toLowerCase();
  const extended = known.find((candidate) => lower.length > 2 && candidate.toLowerCase().startsWith(lower));
  if (extended !== undefined) return extended;
  const lowered = known.map((candidate) => candidate.toLowerCase());
  const match = closest(lower, lowered);
  return distance(lower, match) <= Math.max(2, Math.floor(match.length / 3))
    ? known[lowered.indexOf(match)]
    : undefined;
}
