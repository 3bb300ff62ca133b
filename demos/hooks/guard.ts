import { Decision, Event, allow, deny, plainWords, shellCommands } from "wasmhook/guest";

/** Denies `git push` with force, and approves `git status` and `git log`. */
export function handle(event: Event): Decision | null {
  const command = event.tool.input.get("command").string();
  const commands = shellCommands(command);
  for (let i = 0; i < commands.length; i++) {
    if (isForcePush(commands[i])) return deny("force-push is not allowed in this project");
  }
  const words = plainWords(command);
  return words !== null && isHarmless(words) ? allow("it only reads") : null;
}

function isForcePush(words: string[]): bool {
  if (!words.includes("git") || !words.includes("push")) return false;
  for (let i = 0; i < words.length; i++) {
    if (words[i] == "-f" || words[i].startsWith("--force")) return true;
  }
  return false;
}

function isHarmless(words: string[]): bool {
  return words.length >= 2 && words[0] == "git" && (words[1] == "status" || words[1] == "log") && words.length < 4;
}
