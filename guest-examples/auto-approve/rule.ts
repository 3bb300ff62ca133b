import { plainWords } from "wasmhook/guest";
import { isHarmlessOption } from "./options";

/** One configured command: its words exactly, or, with a last word `*`, with more words behind them. */
export class Rule {
  private constructor(
    private readonly words: string[],
    private readonly isOpen: bool,
    private readonly options: string[],
  ) {}

  /** `null` where the text is no plain command. @param options that are harmless beside those that are known */
  static read(text: string, options: string[]): Rule | null {
    const isOpen = text.endsWith(" *");
    const words = plainWords(isOpen ? text.substring(0, text.length - 2) : text);
    return words === null || words.length == 0 ? null : new Rule(words, isOpen, options);
  }

  allows(words: string[]): bool {
    const own = this.words.length;
    if (words.length < own || (words.length > own && !this.isOpen)) return false;
    for (let i = 0; i < own; i++) {
      if (words[i] != this.words[i]) return false;
    }
    for (let i = own; i < words.length; i++) {
      if (words[i] == "--") return true;
      if (words[i].startsWith("-") && !this.allowsOption(words[i])) return false;
    }
    return true;
  }

  private allowsOption(word: string): bool {
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const option = equals < 0 ? word : word.substring(0, equals);
    return this.options.includes(option) || isHarmlessOption(this.words, option);
  }
}
