const SLASH = 0x2f;
const PERCENT: u8 = 0x25;

/** Where a path points to, as the names on the way from the root. Nothing is looked up: links are not followed. */
export class Place {
  private names: string[] = [];
  // `**/secrets` is a place that may stand anywhere.
  private isAnywhere: bool = false;

  constructor(path: string, cwd: string, ignoresCase: bool) {
    let text = withoutScheme(path.trim()).replaceAll("\\", "/");
    if (ignoresCase) text = text.toLowerCase();
    if (text.startsWith("**/")) {
      this.isAnywhere = true;
      text = text.substring(2);
    }
    if (!isAbsolute(text)) this.go(ignoresCase ? cwd.toLowerCase() : cwd);
    this.go(text);
  }

  /** Whether this place is the other one, or under it. */
  isIn(other: Place): bool {
    const last = other.isAnywhere ? this.names.length - other.names.length : 0;
    for (let from = 0; from <= last; from++) {
      if (this.hasAt(other.names, from)) return true;
    }
    return false;
  }

  private hasAt(names: string[], from: i32): bool {
    if (from + names.length > this.names.length) return false;
    for (let i = 0; i < names.length; i++) {
      if (this.names[from + i] != names[i]) return false;
    }
    return true;
  }

  private go(path: string): void {
    const names = path.split("/");
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (name == "" || name == ".") continue;
      if (name != "..") this.names.push(name);
      else if (this.names.length > 0) this.names.pop();
    }
  }
}

/** `~` is not known here, so a path from it is a place of its own: `~/x` is under `~`, and not under the cwd. */
function isAbsolute(path: string): bool {
  if (path.charCodeAt(0) == SLASH || path == "~" || path.startsWith("~/")) return true;
  return path.length > 1 && path.charAt(1) == ":";
}

/** The path of a `file:` URL, in whatever case that is written, with its `%` escapes read; any other text as it is. */
function withoutScheme(path: string): string {
  if (path.substring(0, 5).toLowerCase() != "file:") return path;
  let text = path.substring(5);
  if (text.startsWith("//")) {
    const slash = text.indexOf("/", 2);
    text = slash < 0 ? "/" : text.substring(slash);
  }
  return unescaped(text);
}

/** With `%2e` as a dot, and a `%` that starts no escape as it is. */
function unescaped(text: string): string {
  const bytes = Uint8Array.wrap(String.UTF8.encode(text));
  let size = 0;
  for (let i = 0; i < bytes.length; i++) {
    const high = bytes[i] == PERCENT && i + 2 < bytes.length ? hexDigit(bytes[i + 1]) : -1;
    const low = high < 0 ? -1 : hexDigit(bytes[i + 2]);
    bytes[size++] = low < 0 ? bytes[i] : <u8>((high << 4) | low);
    if (low >= 0) i += 2;
  }
  return String.UTF8.decode(bytes.buffer.slice(0, size));
}

function hexDigit(char: u8): i32 {
  if (char >= 0x30 && char <= 0x39) return char - 0x30;
  const letter = char | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
