/** Options of `git` itself that take the next word as their value. */
const WITH_VALUE = [
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--exec-path",
  "--attr-source",
];

/** Whether a command, as its words, is a `git push` with force, whatever stands before `git`. */
export function forcesPush(words: string[]): bool {
  for (let i = 0; i < words.length; i++) {
    if (isProgram(words[i], "git") && gitForcesPush(words, i + 1)) return true;
    if (isProgram(words[i], "git-push") && pushForces(words, i + 1)) return true;
  }
  return false;
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

function gitForcesPush(words: string[], from: i32): bool {
  let setsForce = false;
  let i = from;
  while (i < words.length && words[i].startsWith("-")) {
    const option = words[i++];
    if (WITH_VALUE.includes(option) && i < words.length) {
      if (option == "-c" && settingForces(words[i])) setsForce = true;
      i++;
    }
  }
  if (i == words.length) return false;
  if (setsForce) return true;
  return (words[i] == "push" || words[i] == "send-pack") && pushForces(words, i + 1);
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

function pushForces(words: string[], from: i32): bool {
  for (let i = from; i < words.length; i++) {
    const word = words[i];
    if (word.startsWith("--force") || word == "--mirror") return true;
    if (word.startsWith("+") && word.length > 1) return true;
    if (word.startsWith("-") && !word.startsWith("--") && clusterForces(word)) return true;
  }
  return false;
}

/** `-f`, alone or among others, as in `-uf`; what follows an `o` is that option's value. */
function clusterForces(word: string): bool {
  const force = word.indexOf("f", 1);
  const value = word.indexOf("o", 1);
  return force > 0 && (value < 0 || force < value);
}
