const { Failure } = require("./failure.cjs");
const { read, write } = require("./files.cjs");
const { shell } = require("./shell.cjs");
const { brokenCharacters, first, judged, lower } = require("./text.cjs");

const INSIDE = /^(localhost|127\.0\.0\.1|169\.254\.169\.254|.*\.internal)$/s;
const KNOWN = /^(.*\.)?(docs\.python\.org|developer\.mozilla\.org|nodejs\.org|doc\.rust-lang\.org)$/s;

function fetchPage({ input }) {
  const { url } = input;
  if (typeof url !== "string") throw new Failure("a call of web_fetch without a url cannot be judged");
  const [authority] = lower(judged(url))
    .replace(/^.*?:\/\//s, "")
    .split(/[/?#]/);
  const [host] = authority.split("@").at(-1).split(":");
  if (INSIDE.test(host)) return { action: "deny", reason: `${host} is not for agents` };
  const decision = KNOWN.test(host)
    ? { action: "allow", reason: `${host} is known` }
    : { action: "ask", reason: `${host} is not known` };
  if (url.startsWith("http://")) {
    decision.input = { ...input, url: url.replace("http", "https") };
    decision.notice = "https is used";
  }
  return decision;
}

function searchWeb({ input: { query } }) {
  if (typeof query !== "string") return {};
  return { notice: `web search: "${first(query, 60).replace(brokenCharacters, "\ufffd")}"` };
}

const delegate = ({ name }) => ({ context: `The same hooks guard what ${name} does.` });
const approve = () => ({ action: "allow" });

const JUDGES = new Map(
  Object.entries({
    "bash execute_bash shell run_command": shell,
    "fs_write write_file edit_file multi_edit str_replace": write,
    "fs_read read_file": read,
    "grep glob list_dir search": approve,
    web_fetch: fetchPage,
    web_search: searchWeb,
    "task sub_agent": delegate,
  }).flatMap(([names, judge]) => names.split(" ").map((name) => [name, judge])),
);

/** What is said before a tool call. */
function beforeCall({ tool, cwd }) {
  return JUDGES.get(tool.name)?.(tool, cwd) ?? {};
}

module.exports = { beforeCall };
