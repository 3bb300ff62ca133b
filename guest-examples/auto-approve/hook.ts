import { Decision, Event, Json, allow, config, fail, plainWords } from "wasmhook/guest";
import { Rule } from "./rule";

/** Arguments beside the command that change nothing about what is run. */
const HARMLESS_FIELDS = ["description", "summary", "explanation", "timeout"];

/** Arguments that say where it is run: harmless where that is the directory which the agent works in. */
const PLACE_FIELDS = ["cwd", "workdir", "workingDir", "working_dir", "workingDirectory", "working_directory", "directory", "dir"];

/** Approves the configured commands, where a shell would run just that and nothing else. */
export function handle(event: Event): Decision | null {
  if (event.moment != "preToolCall") return null;
  const settings = config();
  const commands = settings.get("commands").strings();
  if (commands.length == 0) return fail('config has no "commands": list what may pass without a question');
  const field = settings.get("field").string("command");
  const harmless = HARMLESS_FIELDS.concat(settings.get("harmlessFields").strings());
  if (!isAlone(event, field, harmless)) return null;
  const words = wordsOf(event.tool.input.get(field));
  if (words === null) return null;

  const options = settings.get("options").strings();
  for (let i = 0; i < commands.length; i++) {
    const rule = Rule.read(commands[i], options);
    if (rule === null) return fail(`config "commands" has ${commands[i]}, which is no plain command`);
    if (rule.allows(words)) return allow(`${commands[i]} is approved by auto-approve`);
  }
  return null;
}

/** A command line that a shell would not change, or the words of a command as some agents give them. */
function wordsOf(command: Json): string[] | null {
  if (command.isString) return plainWords(command.string());
  const words = command.strings();
  if (!command.isArray || words.length != command.length) return null;
  // Some agents join the words for a shell: each must be one word to a shell as well.
  for (let i = 0; i < words.length; i++) {
    const read = plainWords(words[i]);
    if (read === null || read.length != 1 || read[0] != words[i]) return null;
  }
  return words;
}

/** Whether no other argument can add to what is run, as `args` or `env` could. */
function isAlone(event: Event, field: string, harmless: string[]): bool {
  const input = event.tool.input;
  const keys = input.keys();
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] == field || harmless.includes(keys[i])) continue;
    const value = input.get(keys[i]);
    if (value.isString && PLACE_FIELDS.includes(keys[i]) && value.string() == event.cwd) continue;
    if (value.isString || value.isArray || value.isObject) return false;
  }
  return true;
}
