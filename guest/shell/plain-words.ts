import { BACKSLASH, BACKTICK, BANG, DOLLAR, DOUBLE_QUOTE, SINGLE_QUOTE, SPACE, TAB } from "./characters";
import { WordBuffer } from "./word-buffer";

/**
 * The words of a command line that is one plain command: no operator, redirection, substitution, variable,
 * pattern, brace, escape, comment, line break or history mark, not even a quoted one of those that some
 * shell acts on inside quotes. `null` for every other line. So what a shell runs is these words and nothing
 * else, and the decision to let it pass can be made on them.
 */
export function plainWords(line: string): string[] | null {
  const words: string[] = [];
  const word = new WordBuffer(line.length);
  let inWord = false;
  let quote = 0;
  for (let i = 0; i < line.length; i++) {
    const char = line.charCodeAt(i);
    if (quote) {
      if (char == quote) quote = 0;
      else if (isPlainIn(quote, char)) word.add(char);
      else return null;
    } else if (char == SPACE || char == TAB) {
      if (inWord) words.push(word.take());
      inWord = false;
    } else if (char == SINGLE_QUOTE || char == DOUBLE_QUOTE) {
      quote = char;
      inWord = true;
    } else if (isPlain(char, inWord)) {
      word.add(char);
      inWord = true;
    } else {
      return null;
    }
  }
  if (quote) return null;
  if (inWord) words.push(word.take());
  return words;
}

/** Letters, digits and `% + , - . / : = @ _`; inside a word also `^` and `~`, as in `HEAD~1`. */
function isPlain(char: i32, inWord: bool): bool {
  if (char >= 0x61 && char <= 0x7a) return true;
  if (char >= 0x41 && char <= 0x5a) return true;
  if (char >= 0x2b && char <= 0x3a) return true;
  if (char == 0x25 || char == 0x3d || char == 0x40 || char == 0x5f) return true;
  return inWord && (char == 0x5e || char == 0x7e);
}

function isPlainIn(quote: i32, char: i32): bool {
  if (char < SPACE || char == 0x7f) return false;
  // A dollar, a backtick and a backslash count in double quotes; a history mark does in some shells.
  return quote == SINGLE_QUOTE || (char != DOLLAR && char != BACKTICK && char != BACKSLASH && char != BANG);
}
