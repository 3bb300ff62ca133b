import { Decision, Event, stop } from "wasmhook/guest";
import {
  countCharacters,
  firstCharacters,
  includesAny,
  isBlankText,
  JUDGED,
  judged,
  lower,
  Mended,
  WithoutKeys,
} from "./text";

const TESTS = ["test", "テスト", "тест", "测试"];
const DEPLOYMENTS = ["deploy", "déploie", "деплой", "デプロイ", "部署"];

/** What is said before generation. */
export function beforeGeneration(event: Event): Decision {
  const prompt = event.prompt;
  if (isBlankText(prompt)) return stop("empty prompt");
  const seen = lower(judged(prompt));
  if (includesAny(seen, ["ignore all previous instructions", "ignore previous instructions"])) {
    const start = firstCharacters(prompt, 40);
    return stop("the prompt tries to replace the instructions", `This was not sent: ${start}`);
  }

  const decision = new Decision();
  const notices: string[] = [];
  const planned = prompt.startsWith("/plan ")
    ? "Make a plan first, and change nothing.\n\n" + prompt.substring(6)
    : prompt;
  const bare = new WithoutKeys(planned);
  if (bare.count > 0) notices.push(`${bare.count} key(s) removed from the prompt`);
  const mended = new Mended(bare.text);
  if (mended.count > 0) notices.push(`${mended.count} broken character(s) replaced`);
  if (mended.text != prompt) decision.rewritePrompt(mended.text);

  const hints: string[] = [];
  if (includesAny(seen, TESTS)) hints.push('Run the tests with "npm test".');
  if (includesAny(seen, DEPLOYMENTS)) hints.push("Deployments are made by the pipeline, never by hand.");
  if (hints.length > 0) decision.context(hints.join("\n"));

  const length = countCharacters(prompt);
  if (length > JUDGED) notices.push(`the prompt has ${length} characters`);
  if (notices.length > 0) decision.notice(notices.join("; "));
  return decision;
}
