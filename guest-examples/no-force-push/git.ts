const MINUS = 0x2d;
const PLUS = 0x2b;
const CONFIG_ENV = "--config-env=";

/** Options of `git` itself that take the next word as their value, besides `-C` and `-c`. */
const WITH_VALUE = [
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--exec-path",
  "--attr-source",
];

/**
 * Whether a command, as its words, is a `git push` with force, whatever stands before `git`. It goes through
 * the words once, from the last to the first, because any of them may be a `git`, or an option of one.
 */
export function forcesPush(words: string[]): bool {
  // Of the words behind the one that is looked at: whether one is an option or a refspec that forces,
  let forces = false;
  // and, for the first of them and the second, what `git` does when its own options begin there.
  let next = Verb.None;
  let afterNext = Verb.None;
  for (let i = words.length - 1; i >= 0; i--) {
    const word = words[i];
    if (next == Verb.Forced && isProgram(word, "git")) return true;
    if (forces && isProgram(word, "git-push")) return true;
    const takesNext = i + 1 < words.length && takesValue(word);
    let verb = verbAt(word, forces);
    if (word.charCodeAt(0) == MINUS) {
      verb = takesNext ? afterNext : next;
      if (verb != Verb.None && hidesForce(word, takesNext ? words[i + 1] : "")) verb = Verb.Forced;
    }
    afterNext = next;
    next = verb;
    forces = forces || isForce(word);
  }
  return false;
}

enum Verb {
  /** There is none: the words end before. */
  None,
  Harmless,
  /** It is a push with force, or it is any verb behind a setting that may make a push of it. */
  Forced,
}

function verbAt(word: string, forces: bool): Verb {
  return forces && (word == "push" || word == "send-pack") ? Verb.Forced : Verb.Harmless;
}

/** Whether a word names a program, as `/usr/bin/git` and `GIT.EXE` do: some systems take no heed of case. */
function isProgram(word: string, name: string): bool {
  const end = endsWithLetters(word, ".exe", word.length) ? word.length - 4 : word.length;
  if (!endsWithLetters(word, name, end)) return false;
  const before = end - name.length - 1;
  return before < 0 || word.charCodeAt(before) == 0x2f || word.charCodeAt(before) == 0x5c;
}

/** Whether the letters, lower-case, stand in front of a place in a word, in whatever case. */
function endsWithLetters(word: string, letters: string, end: i32): bool {
  const start = end - letters.length;
  if (start < 0 || end > word.length) return false;
  for (let i = letters.length - 1; i >= 0; i--) {
    let char = word.charCodeAt(start + i);
    if (char >= 0x41 && char <= 0x5a) char |= 0x20;
    if (char != letters.charCodeAt(i)) return false;
  }
  return true;
}

function takesValue(word: string): bool {
  if (word.charCodeAt(0) != MINUS) return false;
  if (word.charCodeAt(1) == MINUS) return WITH_VALUE.includes(word);
  return word == "-c" || word == "-C";
}

/** Whether an option of `git` itself is a setting that makes a push force, or hides one. */
function hidesForce(option: string, value: string): bool {
  if (option == "-c") return settingForces(value);
  if (option == "--config-env") return namesForce(value);
  return option.startsWith(CONFIG_ENV) && namesForce(option.substring(CONFIG_ENV.length));
}

/** A setting that makes a push force (`remote.x.push=+y`, `remote.x.mirror`) or that hides one in an alias. */
function settingForces(setting: string): bool {
  const equals = setting.indexOf("=");
  const end = equals < 0 ? setting.length : equals;
  const value = setting.substring(end + 1);
  if (endsWithLetters(setting, "alias.", 6)) return forcesPush(("git " + value).split(" "));
  if (!endsWithLetters(setting, "remote.", 7)) return false;
  return endsWithLetters(setting, ".mirror", end) || (endsWithLetters(setting, ".push", end) && value.startsWith("+"));
}

/** The same of `NAME=VARIABLE`, where nobody knows what the variable holds. */
function namesForce(setting: string): bool {
  const end = setting.lastIndexOf("=");
  if (endsWithLetters(setting, "alias.", 6)) return true;
  if (!endsWithLetters(setting, "remote.", 7)) return false;
  return endsWithLetters(setting, ".mirror", end) || endsWithLetters(setting, ".push", end);
}

/** Whether a word behind `push` forces: a refspec with a plus, or an option, of which git takes abbreviations. */
function isForce(word: string): bool {
  if (word.length < 2) return false;
  const first = word.charCodeAt(0);
  if (first == PLUS) return true;
  if (first != MINUS) return false;
  if (word.charCodeAt(1) != MINUS) return clusterForces(word);
  if (word.length < 3) return false;
  return word.startsWith("--force") || "--force".startsWith(word) || "--mirror".startsWith(word);
}

/** `-f`, alone or among others, as in `-uf`; what follows an `o` is that option's value. */
function clusterForces(word: string): bool {
  const force = word.indexOf("f", 1);
  const value = word.indexOf("o", 1);
  return force > 0 && (value < 0 || force < value);
}
