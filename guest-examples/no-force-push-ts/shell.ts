/** A quoted text, an escaped character, what ends a command, blanks, or letters. */
const PART = /'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[;&|()`\n]|[^\S\n]+|[^\s;&|()`'"\\]+|['"\\]/g;

/** The simple commands of a line, each as its words, with their quotes off. */
export function commandsOf(line: string): string[][] {
  let words: string[] = [];
  const commands = [words];
  let inWord = false;
  for (const [part] of line.matchAll(PART)) {
    // Broken off within a command: the next line goes on with it.
    if (part === "\\\n") continue;
    if (/^[;&|()`\n]$/.test(part)) commands.push((words = []));
    else if (/^\S/.test(part) && inWord) words[words.length - 1] += unquoted(part);
    else if (/^\S/.test(part)) words.push(unquoted(part));
    inWord = /^[^\s;&|()`]/.test(part);
  }
  return commands;
}

function unquoted(part: string): string {
  if (part.length < 2) return part;
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replace(/\\\n/g, "").replace(/\\([$`"\\])/g, "$1");
  return part.startsWith("\\") ? part.slice(1) : part;
}
