import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, LOWER_N, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./ascii";
import { Kind } from "./kind";
import { Members } from "./members";
import { Output } from "./output";
import { Tape } from "./tape";
import { decodeString } from "./text";

/**
 * One JSON value.
 *
 * Look-ups never fail and never give a null: what is not there is a value of kind `Missing`, and each
 * conversion takes what to answer for a value of another kind. So a chain such as
 * `json.get("tool").get("input").get("command").string()` needs no checks in between.
 *
 * A value that was read is decoded when it is looked at. One that was not looked into is written back byte
 * for byte, and so is every number: `1.10` and `12345678901234567890` stay as they are.
 */
export class Json {
  /** What the value is. */
  readonly kind: Kind;
  // Where the value was read; `items` or `members` take over once it is looked into.
  private tape: Tape | null = null;
  private entry: u32 = 0;
  // A string as it reads, a number or a word as it is written; `null` until it is asked for.
  private text: string | null = null;
  private items: Array<Json> | null = null;
  private members: Members | null = null;

  constructor(kind: Kind = Kind.Missing, text: string | null = null) {
    this.kind = kind;
    this.text = text;
  }

  /** The value of a JSON text, or `null` where the text is not one JSON value. */
  static parse(text: string): Json | null {
    const bytes = new Output();
    bytes.plain(text);
    return Json.read(bytes.start, bytes.size);
  }

  /** The value of `size` bytes of UTF-8 at `start`, which must stay as they are; `null` where they are no JSON. */
  static read(start: usize, size: usize): Json | null {
    const tape = Tape.read(start, size);
    return tape ? Json.onTape(tape, 0) : null;
  }

  static missing(): Json {
    return new Json();
  }

  static null(): Json {
    return new Json(Kind.Null, "null");
  }

  static boolean(value: bool): Json {
    return new Json(Kind.Boolean, value ? "true" : "false");
  }

  static integer(value: i64): Json {
    return new Json(Kind.Number, value.toString());
  }

  /** A number; `null`, as in JavaScript, where it is not finite. */
  static number(value: f64): Json {
    if (!isFinite(value)) return Json.null();
    const isInteger = Math.abs(value) <= <f64>F64.MAX_SAFE_INTEGER && Math.floor(value) == value;
    return isInteger ? Json.integer(<i64>value) : new Json(Kind.Number, value.toString());
  }

  static string(value: string): Json {
    return new Json(Kind.String, value);
  }

  static array(): Json {
    const json = new Json(Kind.Array);
    json.items = new Array<Json>();
    return json;
  }

  static object(): Json {
    const json = new Json(Kind.Object);
    json.members = new Members();
    return json;
  }

  private static onTape(tape: Tape, entry: u32): Json {
    const json = new Json(Json.kindOf(load<u8>(tape.start(entry))));
    json.tape = tape;
    json.entry = entry;
    return json;
  }

  private static kindOf(first: u8): Kind {
    if (first == QUOTE) return Kind.String;
    if (first == OPEN_OBJECT) return Kind.Object;
    if (first == OPEN_ARRAY) return Kind.Array;
    if (first == LOWER_N) return Kind.Null;
    return first > OPEN_ARRAY ? Kind.Boolean : Kind.Number;
  }

  /** Whether there is a value at all, `null` included. */
  get exists(): bool {
    return this.kind != Kind.Missing;
  }

  get isString(): bool {
    return this.kind == Kind.String;
  }

  get isArray(): bool {
    return this.kind == Kind.Array;
  }

  get isObject(): bool {
    return this.kind == Kind.Object;
  }

  /** The text of a string. */
  string(otherwise: string = ""): string {
    return this.kind == Kind.String ? this.read() : otherwise;
  }

  /** The value of a boolean. */
  boolean(otherwise: bool = false): bool {
    return this.kind == Kind.Boolean ? this.read() == "true" : otherwise;
  }

  /** The value of a number, as a double; `stringify` has it as it was written. */
  number(otherwise: f64 = NaN): f64 {
    return this.kind == Kind.Number ? parseFloat(this.read()) : otherwise;
  }

  /** The value of a number that is written as an integer and fits in 64 bits. */
  integer(otherwise: i64 = 0): i64 {
    if (this.kind != Kind.Number) return otherwise;
    const value = I64.parseInt(this.read(), 10);
    return value.toString() == this.read() ? value : otherwise;
  }

  /** The strings of an array, in order, without what is no string; of a string, the one. */
  strings(): string[] {
    const all = new Array<string>();
    if (this.isString) all.push(this.string());
    for (let i = 0; i < this.length; i++) {
      const item = this.at(i);
      if (item.isString) all.push(item.string());
    }
    return all;
  }

  /** How many items an array has, or members an object; 0 for all else. */
  get length(): i32 {
    if (this.kind == Kind.Array) return this.opened().items!.length;
    return this.kind == Kind.Object ? this.opened().members!.keys.length : 0;
  }

  /** The item of an array at an index. */
  at(index: i32): Json {
    return index >= 0 && index < this.length && this.isArray ? this.items![index] : Json.missing();
  }

  /** Replaces an item of an array. Does nothing where there is none. */
  setAt(index: i32, value: Json): Json {
    if (this.at(index).exists && value.exists) this.items![index] = value;
    return this;
  }

  /** Adds an item to an array. Does nothing on a value of another kind. */
  push(value: Json): Json {
    if (this.isArray && value.exists) this.opened().items!.push(value);
    return this;
  }

  /** The keys of an object, in order. */
  keys(): string[] {
    return this.isObject ? this.opened().members!.keys.slice() : new Array<string>();
  }

  /** The member of an object with a key. Where a text has a key twice, the last one counts. */
  get(key: string): Json {
    return this.isObject ? this.opened().members!.get(key) : Json.missing();
  }

  has(key: string): bool {
    return this.get(key).exists;
  }

  /** Sets a member of an object; a value of kind `Missing` removes it. Does nothing on a value of another kind. */
  set(key: string, value: Json): Json {
    if (!this.isObject) return this;
    if (value.exists) this.opened().members!.set(key, value);
    else this.opened().members!.remove(key);
    return this;
  }

  /** The value as JSON text. */
  stringify(): string {
    const output = new Output();
    this.write(output);
    return decodeString(output.start, output.start + output.size, false);
  }

  /** Writes the value as JSON. */
  write(output: Output): void {
    if (this.tape !== null) {
      const start = this.tape!.start(this.entry);
      output.copy(start, this.tape!.end(this.entry) - start);
    } else if (this.isArray) {
      this.writeItems(output);
    } else if (this.isObject) {
      this.writeMembers(output);
    } else if (this.isString) {
      output.quoted(this.text!);
    } else {
      output.ascii(this.exists ? this.text! : "null");
    }
  }

  private writeItems(output: Output): void {
    const items = this.items!;
    output.byte(OPEN_ARRAY);
    for (let i = 0; i < items.length; i++) {
      if (i > 0) output.byte(COMMA);
      items[i].write(output);
    }
    output.byte(CLOSE_ARRAY);
  }

  private writeMembers(output: Output): void {
    const members = this.members!;
    output.byte(OPEN_OBJECT);
    for (let i = 0; i < members.keys.length; i++) {
      if (i > 0) output.byte(COMMA);
      output.quoted(members.keys[i]);
      output.byte(COLON);
      members.values[i].write(output);
    }
    output.byte(CLOSE_OBJECT);
  }

  // A string as it reads, a number or a word as it is written.
  private read(): string {
    if (this.text === null) {
      const tape = this.tape!;
      const quote: usize = this.isString ? 1 : 0;
      const escaped = tape.isEscaped(this.entry);
      this.text = decodeString(tape.start(this.entry) + quote, tape.end(this.entry) - quote, escaped);
    }
    return this.text!;
  }

  // Makes a value of each item or member, one level deep. From then on the value is written anew, because
  // what was handed out of it may be changed.
  private opened(): Json {
    const tape = this.tape;
    if (tape === null) return this;
    this.tape = null;
    const isObject = this.isObject;
    if (isObject) this.members = new Members();
    else this.items = new Array<Json>();
    const after = tape.after(this.entry);
    let entry = tape.next(this.entry);
    while (entry < after) {
      if (isObject) {
        const key = decodeString(tape.start(entry) + 1, tape.end(entry) - 1, tape.isEscaped(entry));
        entry = tape.next(entry);
        this.members!.set(key, Json.onTape(tape, entry));
      } else {
        this.items!.push(Json.onTape(tape, entry));
      }
      entry = tape.after(entry);
    }
    return this;
  }
}
