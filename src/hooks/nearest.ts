import { closest, distance } from "fastest-levenshtein";

/** The known word that somebody who wrote `word` most likely meant, if any is near enough to say so. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || word.length > 64) return undefined;
  const lower = word.toLowerCase();
  const match = closest(
    lower,
    known.map((candidate) => candidate.toLowerCase()),
  );
  const near = known.find((candidate) => candidate.toLowerCase() === match);
  return distance(lower, match) <= Math.max(2, Math.floor(match.length / 3)) ? near : undefined;
}
