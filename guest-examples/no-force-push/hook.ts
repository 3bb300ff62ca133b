import { Decision, Event, Json, config, deny, shellCommands } from "wasmhook/guest";
import { forcesPush } from "./git";
import { looksLikeForcePush } from "./pattern";

const REASON = "Force-pushing is not allowed here. Push without force, or ask the user to do it.";

/** The longest command line that Linux hands to a shell; reading more would only burn fuel. */
const LONGEST = 131072;
const TOO_LONG = "This command is too long to be checked for a force-push. Put it in a script, or shorten it.";

/** How deep a command line is followed that stands quoted in another one, as in `sh -c "..."`. */
const DEEPEST = 4;

/** How many characters may still be read. What is quoted in a line is read once more, and counts once more. */
let left = LONGEST;

/** Denies `git push` with force. */
export function handle(event: Event): Decision | null {
  if (event.moment != "preToolCall") return null;
  const settings = config();
  const fields = settings.has("fields") ? settings.get("fields").strings() : ["command"];
  for (let i = 0; i < fields.length; i++) {
    const isForbidden = forbids(event.tool.input.get(fields[i]));
    if (left < 0) return deny(TOO_LONG);
    if (isForbidden) return deny(settings.get("reason").string(REASON));
  }
  return null;
}

/** Whether it is to be denied: a command line, or the words of one, as some agents give it. */
function forbids(command: Json): bool {
  if (command.isString) return runsForcePush(command.string(), 0);
  const words = command.strings();
  for (let i = 0; i < words.length; i++) left -= words[i].length + 1;
  return left < 0 || anyForcePush(words, 0);
}

function runsForcePush(line: string, depth: i32): bool {
  left -= line.length;
  if (left < 0 || looksLikeForcePush(line)) return true;
  const commands = shellCommands(line);
  for (let i = 0; i < commands.length; i++) {
    if (anyForcePush(commands[i], depth)) return true;
  }
  return false;
}

function anyForcePush(words: string[], depth: i32): bool {
  if (forcesPush(words)) return true;
  for (let i = 0; i < words.length; i++) {
    // A word with a blank in it was quoted: it may be a command line for `sh -c`, `eval` or `ssh`.
    if (depth < DEEPEST && hasBlank(words[i]) && runsForcePush(words[i], depth + 1)) return true;
  }
  return false;
}

function hasBlank(word: string): bool {
  for (let i = 0; i < word.length; i++) {
    if (word.charCodeAt(i) <= 0x20) return true;
  }
  return false;
}
