const { Failure } = require("./failure.cjs");
const { judged, words } = require("./text.cjs");

const EVERYTHING = ["/", "/*", "~", "~/", "$HOME"];
const SECRETS = [".aws/credentials", ".netrc", "id_rsa", "id_ed25519"];
const NETWORK = ["curl", "wget", "ssh", "scp", "nc"];
const APPROVED = ["git status", "git log", "git diff", "ls", "pwd", "cat", "npm test", "cargo check"];
const SPECIAL = /[;|&<>$(){}[\]*?~#!\\"'`\n]/;
const SLOW = ["npm", "pytest", "cargo", "make"];

function parts(command) {
  return command.split(/[;|&\n]/).map((part) => {
    const bare = words(part)
      .map((word) => word.replace(/^["']+|["']+$/g, ""))
      .filter(Boolean);
    return bare[0] === "sudo" ? bare.slice(1) : bare;
  });
}

function denial(part) {
  const [program, ...rest] = part;
  const options = rest.filter((word) => word.startsWith("-"));
  if (program === "rm" && options.some((word) => /r/i.test(word)) && options.some((word) => /f/.test(word))) {
    const everything = rest.find((word) => EVERYTHING.includes(word));
    if (everything !== undefined) return `rm -rf ${everything} would take more than this project`;
  }
  if (program === "git" && rest.includes("push") && (rest.includes("-f") || rest.includes("--force"))) {
    return "force-push is not allowed in this project";
  }
  const toDevice = program === "dd" && rest.some((word) => word.startsWith("of=/dev/"));
  if (/^mkfs(\.|$)/.test(program ?? "") || toDevice) return `${program} writes to a device`;
  return undefined;
}

function question([program, ...rest]) {
  if (NETWORK.includes(program)) return `${program} talks to the network`;
  if (program === "rm") return "rm removes files";
  if (program === "git" && rest.includes("reset") && rest.includes("--hard"))
    return "git reset --hard loses work";
  return undefined;
}

const firstOf = (list, judge) => list.map(judge).find((reason) => reason !== undefined);

function verdict(command) {
  const cut = parts(command);
  const denied = firstOf(cut, denial);
  if (denied !== undefined) return { action: "deny", reason: denied };
  const secret = SECRETS.find((name) => command.includes(name));
  if (secret !== undefined) return { action: "deny", reason: `${secret} is a secret` };
  const asked = firstOf(cut, question);
  if (asked !== undefined) return { action: "ask", reason: asked };
  const plain = `${words(command).join(" ")} `;
  const approved = SPECIAL.test(command) ? undefined : APPROVED.find((name) => plain.startsWith(`${name} `));
  return approved === undefined ? {} : { action: "allow", reason: `${approved} is approved` };
}

/** Judges a command line and, unless it is denied, rewrites it. */
function shell({ name, input, isLong }) {
  const { command } = input;
  if (typeof command !== "string") throw new Failure(`a call of ${name} without a command cannot be judged`);
  if (isLong("command")) {
    return { action: "deny", reason: "a command of more than 20000 characters cannot be judged" };
  }
  const decision = verdict(judged(command));
  if (decision.action === "deny") return decision;
  if (SLOW.includes(words(command)[0]) && !Object.hasOwn(input, "timeout")) {
    decision.input = { ...input, timeout: 600 };
  }
  if (command.startsWith("sudo ")) {
    decision.input = { ...(decision.input ?? input), command: command.slice(5) };
    decision.notice = "sudo was left out";
  }
  return decision;
}

module.exports = { shell };
