import { ShellReader } from "./reader";

export { plainWords } from "./plain-words";

/**
 * The simple commands that a POSIX shell could run for a command line, each as its words without their
 * quotes: those between `;`, `&`, `|` and line breaks, in subshells, in substitutions (inside double quotes
 * too) and in here-documents. The targets of redirections are words as well.
 *
 * It is for guards, so in doubt it finds a command too many rather than one too few. Variables and what a
 * substitution gives count as nothing, and the text that `${x:-...}` has in case of nothing as text. What a
 * shell makes of patterns, braces and aliases it does not know.
 */
export function shellCommands(line: string): string[][] {
  const commands: string[][] = [];
  new ShellReader(line, commands).list();
  return commands;
}
