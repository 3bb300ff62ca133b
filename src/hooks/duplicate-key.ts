/**
 * The first key that an object has twice; keys of objects inside of it do not count.
 * @param text an object that `JSON.parse` accepts
 */
export function duplicateKey(text: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  let keyNext = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === "{" || char === "[") keyNext = ++depth === 1;
    else if (char === "}" || char === "]") depth--;
    else if (char === ",") keyNext = depth === 1;
    else if (char === '"') {
      const start = i;
      i = endOfString(text, start);
      if (!keyNext) continue;
      // Decoded, so that a key in escapes is the one that it stands for.
      const key: string = JSON.parse(text.slice(start, i + 1));
      if (seen.has(key)) return key;
      seen.add(key);
      keyNext = false;
    }
  }
  return undefined;
}

/** The offset of the quote that ends the string. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}
