import stringWidth from "string-width";

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** How many columns of a terminal a text takes: two for wide characters and emoji, none for combining marks. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** A text that takes at most `columns`, cut between graphemes with a `…` where it is longer. */
export function fitColumns(text: string, columns: number): string {
  if (text.length <= columns / 2 || columnsOf(text) <= columns) return text;
  let kept = "";
  let width = 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += columnsOf(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A text with spaces after it, as far as it takes less than `columns`. */
export function padColumns(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}
