// Options that only choose what is shown. Everything else is not approved: a list of the dangerous ones would
// always lack one (`--output`, `--ext-diff`, `-c`, `--open-files-in-pager`, their abbreviations, next year's).

const GIT_COMMANDS = ["status", "log", "diff", "show"];

const GIT_LONG = [
  "--abbrev-commit", "--after", "--ahead-behind", "--all", "--author", "--before", "--branch", "--cached",
  "--color", "--committer", "--date", "--decorate", "--dirstat", "--first-parent", "--follow", "--format",
  "--graph", "--grep", "--ignore-all-space", "--ignore-blank-lines", "--ignore-space-change", "--ignored",
  "--long", "--max-count", "--merge-base", "--merges", "--name-only", "--name-status", "--no-color",
  "--no-decorate", "--no-ext-diff", "--no-merges", "--no-patch", "--no-renames", "--no-textconv",
  "--numstat", "--oneline", "--patch", "--porcelain", "--pretty", "--reverse", "--short", "--shortstat",
  "--show-stash", "--since", "--skip", "--staged", "--stat", "--summary", "--unified", "--until",
  "--untracked-files", "--word-diff",
];

/** Of these letters any can stand together. */
const GIT_LETTERS = "bpsuvwz";
/** These may be followed by their value in the same word, as in `-n5`; so may a dash alone, as in `-5`. */
const GIT_LETTERS_WITH_VALUE = "nUSG";

const LS_LONG = ["--all", "--almost-all", "--color", "--human-readable", "--recursive", "--reverse", "--size"];
const LS_LETTERS = "1AFRSadhilnrstu";

export function isHarmlessOption(command: string[], option: string): bool {
  if (command[0] == "ls") return isOneOf(option, LS_LONG, LS_LETTERS);
  if (command[0] != "git" || command.length < 2 || !GIT_COMMANDS.includes(command[1])) return false;
  return isOneOf(option, GIT_LONG, GIT_LETTERS) || takesValue(option);
}

function isOneOf(option: string, long: string[], letters: string): bool {
  if (option.startsWith("--")) return long.includes(option);
  for (let i = 1; i < option.length; i++) {
    if (!letters.includes(option.charAt(i))) return false;
  }
  return true;
}

function takesValue(option: string): bool {
  const first = option.charAt(1);
  if (GIT_LETTERS_WITH_VALUE.includes(first)) return true;
  for (let i = 1; i < option.length; i++) {
    if (option.charAt(i) < "0" || option.charAt(i) > "9") return false;
  }
  return true;
}
