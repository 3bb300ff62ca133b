import { allow, ask, Decision, deny, fail, Json, notice, Tool } from "wasmhook/guest";
import { firstCharacters, judged, lower, Mended } from "./text";

const INSIDE = ["localhost", "127.0.0.1", "169.254.169.254"];
const KNOWN = ["docs.python.org", "developer.mozilla.org", "nodejs.org", "doc.rust-lang.org"];

/** Judges an address that is fetched. */
export function fetchPage(tool: Tool): Decision {
  const input = tool.input;
  if (!input.get("url").isString) return fail("a call of web_fetch without a url cannot be judged");
  const url = input.get("url").string();
  const host = hostOf(lower(judged(url)));
  if (INSIDE.includes(host) || host.endsWith(".internal")) return deny(`${host} is not for agents`);
  const decision = isKnown(host) ? allow(`${host} is known`) : ask(`${host} is not known`);
  if (url.startsWith("http://")) {
    input.set("url", Json.string("https://" + url.substring(7)));
    decision.rewriteInput(input).notice("https is used");
  }
  return decision;
}

export function searchWeb(tool: Tool): Decision | null {
  const query = tool.input.get("query");
  if (!query.isString) return null;
  return notice(`web search: "${new Mended(firstCharacters(query.string(), 60)).text}"`);
}

function hostOf(url: string): string {
  const scheme = url.indexOf("://");
  let host = scheme < 0 ? url : url.substring(scheme + 3);
  host = before(before(before(host, "/"), "?"), "#");
  return before(host.substring(host.lastIndexOf("@") + 1), ":");
}

function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.substring(0, at);
}

function isKnown(host: string): bool {
  for (let i = 0; i < KNOWN.length; i++) {
    if (host == KNOWN[i] || host.endsWith("." + KNOWN[i])) return true;
  }
  return false;
}
