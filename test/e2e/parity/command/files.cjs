const { Failure } = require("./failure.cjs");
const { judged, lower } = require("./text.cjs");

const PATHS = ["path", "file_path", "filePath"];
const TEXTS = ["content", "new_str", "new_string"];

function pathOf(input) {
  const path = PATHS.map((key) => input[key]).find((value) => typeof value === "string");
  return path === undefined ? undefined : judged(path);
}

function namesOf(path, cwd) {
  const names = [];
  for (const name of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

const isProtected = (name, index, names) =>
  /^(secrets|\.git|\.ssh)$/.test(lower(name)) ||
  (index === names.length - 1 && /^\.env$|^\.env\.|\.pem$/.test(lower(name)));

const isUnder = (names, cwd) => namesOf(cwd, "").every((name, index) => names[index] === name);

/** Every object that may hold a text to write, and under which key. */
function* textsOf(input) {
  const edits = Array.isArray(input.edits) ? input.edits : [];
  for (const holder of [input, ...edits]) {
    if (typeof holder !== "object" || holder === null || Array.isArray(holder)) continue;
    for (const key of TEXTS) if (typeof holder[key] === "string") yield { holder, key };
  }
}

/** Judges a path that is written to, and what is written. */
function write({ name, input }, cwd) {
  const path = pathOf(input);
  if (path === undefined) throw new Failure(`a call of ${name} without a path cannot be judged`);
  const names = namesOf(path, cwd);
  const found = names.find(isProtected);
  if (found !== undefined) return { action: "deny", reason: `${path} is protected: ${found}` };
  const texts = [...textsOf(input)];
  if (texts.some(({ holder, key }) => judged(holder[key]).includes("PRIVATE KEY-----"))) {
    return { action: "deny", reason: "a private key is not written to files" };
  }
  const decision = isUnder(names, cwd) ? {} : { action: "ask", reason: `${path} is outside of the project` };
  const changed = texts.filter(({ holder, key }) => holder[key].includes("\r\n"));
  if (changed.length > 0) {
    for (const { holder, key } of changed) holder[key] = holder[key].replaceAll("\r\n", "\n");
    decision.input = input;
    decision.notice = `CR LF became LF in ${changed.length} text(s)`;
  }
  return decision;
}

/** Judges a path that is read. */
function read({ input }, cwd) {
  const path = pathOf(input);
  if (path === undefined) return {};
  const names = namesOf(path, cwd);
  const found = names.find(isProtected);
  if (found !== undefined) return { action: "ask", reason: `${path} is protected: ${found}` };
  return isUnder(names, cwd) ? { action: "allow", reason: "reading in the project" } : {};
}

module.exports = { write, read };
