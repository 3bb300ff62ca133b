import { allow, ask, Decision, deny, fail, Json, Tool } from "wasmhook/guest";
import { judged, lower } from "./text";

const PATHS = ["path", "file_path", "filePath"];
const TEXTS = ["content", "new_str", "new_string"];

/** Judges a path that is written to, and what is written. */
export function write(tool: Tool, cwd: string): Decision {
  const input = tool.input;
  const path = pathOf(input);
  if (path === null) return fail(`a call of ${tool.name} without a path cannot be judged`);
  const names = namesOf(path, cwd);
  const found = protectedName(names);
  if (found !== null) return deny(`${path} is protected: ${found}`);

  const holders = holdersOf(input);
  for (let i = 0; i < holders.length; i++) {
    if (holdsPrivateKey(holders[i])) return deny("a private key is not written to files");
  }
  const decision = isUnder(names, cwd) ? new Decision() : ask(`${path} is outside of the project`);
  let changed = 0;
  for (let i = 0; i < holders.length; i++) changed += mendLineEnds(holders[i]);
  return changed == 0
    ? decision
    : decision.rewriteInput(input).notice(`CR LF became LF in ${changed} text(s)`);
}

/** Judges a path that is read. */
export function read(tool: Tool, cwd: string): Decision | null {
  const path = pathOf(tool.input);
  if (path === null) return null;
  const names = namesOf(path, cwd);
  const found = protectedName(names);
  if (found !== null) return ask(`${path} is protected: ${found}`);
  return isUnder(names, cwd) ? allow("reading in the project") : null;
}

function pathOf(input: Json): string | null {
  for (let i = 0; i < PATHS.length; i++) {
    const path = input.get(PATHS[i]);
    if (path.isString) return judged(path.string());
  }
  return null;
}

function namesOf(path: string, cwd: string): string[] {
  const all = (path.startsWith("/") ? path : cwd + "/" + path).split("/");
  const names: string[] = [];
  for (let i = 0; i < all.length; i++) {
    if (all[i] == "" || all[i] == ".") continue;
    if (all[i] != "..") names.push(all[i]);
    else if (names.length > 0) names.pop();
  }
  return names;
}

function protectedName(names: string[]): string | null {
  for (let i = 0; i < names.length; i++) {
    const name = lower(names[i]);
    if (name == "secrets" || name == ".git" || name == ".ssh") return names[i];
    if (i < names.length - 1) continue;
    if (name == ".env" || name.startsWith(".env.") || name.endsWith(".pem")) return names[i];
  }
  return null;
}

function isUnder(names: string[], cwd: string): bool {
  const above = namesOf(cwd, "");
  if (names.length < above.length) return false;
  for (let i = 0; i < above.length; i++) {
    if (names[i] != above[i]) return false;
  }
  return true;
}

/** Every object that may hold a text to write. */
function holdersOf(input: Json): Json[] {
  const all = [input];
  const edits = input.get("edits");
  for (let i = 0; edits.isArray && i < edits.length; i++) all.push(edits.at(i));
  return all;
}

function holdsPrivateKey(holder: Json): bool {
  for (let i = 0; i < TEXTS.length; i++) {
    if (judged(holder.get(TEXTS[i]).string()).includes("PRIVATE KEY-----")) return true;
  }
  return false;
}

/** How many texts were changed. */
function mendLineEnds(holder: Json): i32 {
  let changed = 0;
  for (let i = 0; i < TEXTS.length; i++) {
    const text = holder.get(TEXTS[i]).string();
    if (!text.includes("\r\n")) continue;
    holder.set(TEXTS[i], Json.string(text.split("\r\n").join("\n")));
    changed++;
  }
  return changed;
}
