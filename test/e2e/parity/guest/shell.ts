import { allow, ask, Decision, deny, fail, Json, Tool } from "wasmhook/guest";
import { countCharacters, firstIncluded, JUDGED, words } from "./text";

const EVERYTHING = ["/", "/*", "~", "~/", "$HOME"];
const SECRETS = [".aws/credentials", ".netrc", "id_rsa", "id_ed25519"];
const NETWORK = ["curl", "wget", "ssh", "scp", "nc"];
const APPROVED = ["git status", "git log", "git diff", "ls", "pwd", "cat", "npm test", "cargo check"];
const SPECIAL = ";|&<>$(){}[]*?~#!\\\"'`\n";
const SLOW = ["npm", "pytest", "cargo", "make"];

/** Judges a command line and, unless it is denied, rewrites it. */
export function shell(tool: Tool): Decision {
  const input = tool.input;
  if (!input.get("command").isString)
    return fail(`a call of ${tool.name} without a command cannot be judged`);
  const command = input.get("command").string();
  if (countCharacters(command) > JUDGED)
    return deny("a command of more than 20000 characters cannot be judged");

  const parts = partsOf(command);
  const denial = firstDenial(parts);
  if (denial !== null) return deny(denial);
  const secret = firstIncluded(command, SECRETS);
  if (secret !== null) return deny(`${secret} is a secret`);

  const question = firstQuestion(parts);
  const approved = approvedAs(command);
  const decision =
    question !== null ? ask(question) : approved !== null ? allow(`${approved} is approved`) : new Decision();
  rewrite(input, command, decision);
  return decision;
}

function rewrite(input: Json, command: string, decision: Decision): void {
  const all = words(command);
  const isSlow = all.length > 0 && SLOW.includes(all[0]) && !input.has("timeout");
  const isRoot = command.startsWith("sudo ");
  if (isSlow) input.set("timeout", Json.integer(600));
  if (isRoot) {
    input.set("command", Json.string(command.substring(5)));
    decision.notice("sudo was left out");
  }
  if (isSlow || isRoot) decision.rewriteInput(input);
}

/** The words of each part of a command line. */
function partsOf(command: string): string[][] {
  const parts: string[][] = [];
  let start = 0;
  for (let i = 0; i <= command.length; i++) {
    if (i < command.length && !";|&\n".includes(command.charAt(i))) continue;
    const bare: string[] = [];
    const all = words(command.substring(start, i));
    for (let j = 0; j < all.length; j++) {
      const word = unquoted(all[j]);
      if (word != "") bare.push(word);
    }
    if (bare.length > 0 && bare[0] == "sudo") bare.shift();
    parts.push(bare);
    start = i + 1;
  }
  return parts;
}

function unquoted(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && isQuote(word.charCodeAt(start))) start++;
  while (end > start && isQuote(word.charCodeAt(end - 1))) end--;
  return word.substring(start, end);
}

function isQuote(char: i32): bool {
  return char == 0x22 || char == 0x27;
}

function firstDenial(parts: string[][]): string | null {
  for (let i = 0; i < parts.length; i++) {
    if (parts[i].length == 0) continue;
    const program = parts[i][0];
    if (program == "rm" && hasOption(parts[i], "rR") && hasOption(parts[i], "f")) {
      for (let j = 1; j < parts[i].length; j++) {
        if (EVERYTHING.includes(parts[i][j]))
          return `rm -rf ${parts[i][j]} would take more than this project`;
      }
    }
    if (
      program == "git" &&
      parts[i].includes("push") &&
      (parts[i].includes("-f") || parts[i].includes("--force"))
    ) {
      return "force-push is not allowed in this project";
    }
    if (program == "mkfs" || program.startsWith("mkfs.") || (program == "dd" && writesDevice(parts[i]))) {
      return `${program} writes to a device`;
    }
  }
  return null;
}

/** Whether a word that starts with a dash has one of some letters in it. */
function hasOption(part: string[], letters: string): bool {
  for (let i = 1; i < part.length; i++) {
    if (!part[i].startsWith("-")) continue;
    for (let j = 0; j < letters.length; j++) {
      if (part[i].includes(letters.charAt(j))) return true;
    }
  }
  return false;
}

function writesDevice(part: string[]): bool {
  for (let i = 1; i < part.length; i++) {
    if (part[i].startsWith("of=/dev/")) return true;
  }
  return false;
}

function firstQuestion(parts: string[][]): string | null {
  for (let i = 0; i < parts.length; i++) {
    if (parts[i].length == 0) continue;
    const program = parts[i][0];
    if (NETWORK.includes(program)) return `${program} talks to the network`;
    if (program == "rm") return "rm removes files";
    if (program == "git" && parts[i].includes("reset") && parts[i].includes("--hard")) {
      return "git reset --hard loses work";
    }
  }
  return null;
}

function approvedAs(command: string): string | null {
  for (let i = 0; i < command.length; i++) {
    if (SPECIAL.includes(command.charAt(i))) return null;
  }
  const all = words(command);
  for (let i = 0; i < APPROVED.length; i++) {
    if (beginsWith(all, words(APPROVED[i]))) return APPROVED[i];
  }
  return null;
}

function beginsWith(all: string[], first: string[]): bool {
  if (all.length < first.length) return false;
  for (let i = 0; i < first.length; i++) {
    if (all[i] != first[i]) return false;
  }
  return true;
}
