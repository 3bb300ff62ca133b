import {
  AMPERSAND, BACKSLASH, BACKTICK, CLOSE_BRACE, CLOSE_PAREN, COLON, DOLLAR, DOUBLE_QUOTE, GREATER, HASH, LESS, MINUS, NEWLINE,
  OPEN_BRACE, OPEN_PAREN, PIPE, RETURN, SEMICOLON, SINGLE_QUOTE, SPACE, TAB, isMeta, isName,
} from "./characters";
import { Cursor, END } from "./cursor";
import { LineFinder } from "./line-finder";
import { WordBuffer } from "./word-buffer";

/** Substitutions inside substitutions that are followed; what is deeper is read as part of its surroundings. */
const DEEPEST = 64;
/** What stands, maybe with a colon, between a parameter's name and the text to use instead of it. */
const PARAMETER_SIGNS = "-=+?";

class HereDocument {
  constructor(
    readonly delimiter: string,
    readonly stripsTabs: bool,
  ) {}
}

/** Reads one command line into simple commands. */
export class ShellReader {
  private readonly cursor: Cursor;
  private readonly word: WordBuffer;
  private words: Array<string> | null = null;
  // A word may be empty, as `''` is, and still be one.
  private inWord: bool = false;
  // How many `${` are open.
  private braces: i32 = 0;
  private pending: Array<HereDocument> | null = null;
  private lines: LineFinder | null = null;
  private linesWithoutTabs: LineFinder | null = null;
  private depth: i32 = 0;

  constructor(
    private readonly line: string,
    private readonly commands: string[][],
  ) {
    this.cursor = new Cursor(line);
    this.word = new WordBuffer(line.length);
  }

  /** Reads up to the character that closes the list, or the end of the line. */
  list(close: i32 = END): void {
    const words = this.words;
    const inWord = this.inWord;
    const outer = this.word.open();
    this.words = null;
    this.inWord = false;
    while (true) {
      if (this.cursor.takeLetters(this.word)) this.inWord = true;
      const char = this.cursor.take();
      if (char == close || char == END) break;
      this.special(char);
    }
    this.endCommand();
    this.word.close(outer);
    this.inWord = inWord;
    this.words = words;
  }

  private special(char: i32): void {
    if (char == SPACE || char == TAB || char == RETURN) {
      this.endWord();
    } else if (char == NEWLINE) {
      this.endCommand();
      if (this.pending !== null) this.readHereDocuments();
    } else if (char == HASH && !this.inWord) {
      this.cursor.seek(NEWLINE);
    } else if (char == AMPERSAND && this.cursor.peek() == GREATER) {
      this.endWord();
    } else if (char == SEMICOLON || char == PIPE || char == AMPERSAND || char == CLOSE_PAREN) {
      this.endCommand();
    } else if (char == OPEN_PAREN) {
      this.endWord();
      this.substitution();
    } else if (char == LESS || char == GREATER) {
      this.redirection(char);
    } else if (char != BACKSLASH || !this.cursor.skip(NEWLINE)) {
      this.inWord = true;
      this.part(char);
    }
  }

  /** A piece of a word. */
  private part(char: i32): void {
    if (char == BACKSLASH) {
      this.escaped();
    } else if (char == SINGLE_QUOTE || char == DOUBLE_QUOTE) {
      this.quoted(char);
    } else if (char == DOLLAR && this.cursor.skip(SINGLE_QUOTE)) {
      this.quoted(DOLLAR);
    } else if (char == DOLLAR && this.cursor.skip(DOUBLE_QUOTE)) {
      this.quoted(DOUBLE_QUOTE);
    } else {
      this.text(char);
    }
  }

  private escaped(): void {
    const char = this.cursor.take();
    if (char != NEWLINE && char != END) this.word.add(char);
  }

  private text(char: i32): void {
    if (char == BACKTICK) this.backticks();
    else if (char == DOLLAR) this.expansion();
    else if (char == CLOSE_BRACE && this.braces > 0) this.braces--;
    else this.word.add(char);
  }

  /** What comes of it is not known: it may be nothing, or the text that is given in case of nothing. */
  private expansion(): void {
    const cursor = this.cursor;
    if (cursor.skip(OPEN_PAREN)) return this.substitution();
    const isBraced = cursor.skip(OPEN_BRACE);
    while (isName(cursor.peek())) cursor.take();
    if (!isBraced) return;
    this.braces++;
    cursor.skip(COLON);
    if (PARAMETER_SIGNS.includes(String.fromCharCode(cursor.peek()))) cursor.take();
  }

  /** Text in quotes. `'` takes all as it is, `"` has escapes and substitutions, and `$`, for `$'`, escapes. */
  private quoted(kind: i32): void {
    const close = kind == DOUBLE_QUOTE ? DOUBLE_QUOTE : SINGLE_QUOTE;
    while (true) {
      const char = this.cursor.take();
      if (char == close || char == END) break;
      if (char == BACKSLASH && kind != SINGLE_QUOTE) this.escaped();
      else if (kind == DOUBLE_QUOTE) this.text(char);
      else this.word.add(char);
    }
  }

  private substitution(): void {
    if (this.depth == DEEPEST) return;
    this.depth++;
    this.list(CLOSE_PAREN);
    this.depth--;
  }

  /** A shell looks for the closing backtick before it looks at quotes. */
  private backticks(): void {
    const outer = this.word.open();
    while (true) {
      this.cursor.takeBefore(BACKTICK, BACKSLASH, this.word);
      const char = this.cursor.take();
      if (char == BACKTICK || char == END) break;
      if (this.cursor.skip(BACKTICK)) this.word.add(BACKTICK);
      else if (this.cursor.skip(BACKSLASH)) this.word.add(BACKSLASH);
      else this.word.add(char);
    }
    const inner = this.word.take();
    this.word.close(outer);
    // How deep this can go is bounded by the backslashes that it takes, twice as many for each level.
    new ShellReader(inner, this.commands).list();
  }

  private redirection(char: i32): void {
    const cursor = this.cursor;
    this.endWord();
    if (cursor.skip(OPEN_PAREN)) {
      this.substitution();
    } else if (char == LESS && cursor.skip(LESS)) {
      if (!cursor.skip(LESS)) this.startHereDocument();
    } else if (!cursor.skip(GREATER) && !cursor.skip(AMPERSAND)) {
      cursor.skip(PIPE);
    }
  }

  private startHereDocument(): void {
    const cursor = this.cursor;
    const stripsTabs = cursor.skip(MINUS);
    while (cursor.skip(SPACE) || cursor.skip(TAB)) {}
    while (!cursor.isAtEnd && !isMeta(cursor.peek())) this.part(cursor.take());
    if (this.pending === null) this.pending = [];
    this.pending!.push(new HereDocument(this.word.take(), stripsTabs));
  }

  /** A here-document is text, but text that a shell may be given to run. */
  private readHereDocuments(): void {
    const documents = this.pending!;
    this.pending = null;
    if (this.depth == DEEPEST) return;
    const braces = this.braces;
    this.depth++;
    for (let i = 0; i < documents.length; i++) {
      const end = this.cursor.closeAt(this.endOf(documents[i]));
      this.braces = 0;
      this.list();
      this.pending = null;
      this.cursor.reopen(end);
      this.cursor.seek(NEWLINE);
      this.cursor.skip(NEWLINE);
    }
    this.depth--;
    this.braces = braces;
  }

  /** Where the line begins that ends a document, or the end of all where there is none. */
  private endOf(document: HereDocument): i32 {
    const from = this.cursor.index;
    const place = this.finder(document.stripsTabs, from).find(document.delimiter, from);
    return place < 0 ? this.line.length : place;
  }

  private finder(stripsTabs: bool, from: i32): LineFinder {
    const known = stripsTabs ? this.linesWithoutTabs : this.lines;
    if (known !== null) return known;
    const made = new LineFinder(this.line, from, stripsTabs);
    if (stripsTabs) this.linesWithoutTabs = made;
    else this.lines = made;
    return made;
  }

  private endWord(): void {
    if (!this.inWord) return;
    if (this.words === null) this.words = new Array<string>();
    this.words!.push(this.word.take());
    this.inWord = false;
  }

  private endCommand(): void {
    this.endWord();
    if (this.words !== null) this.commands.push(this.words!);
    this.words = null;
  }
}
