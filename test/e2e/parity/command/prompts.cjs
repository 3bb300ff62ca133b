const { JUDGED, brokenCharacters, count, first, isBlank, judged, keys, lower } = require("./text.cjs");

const HINTS = [
  [/test|テスト|тест|测试/, 'Run the tests with "npm test".'],
  [/deploy|déploie|деплой|デプロイ|部署/, "Deployments are made by the pipeline, never by hand."],
];

/** What is said before generation. */
function beforeGeneration({ prompt }) {
  const seen = lower(judged(prompt));
  if (isBlank(prompt)) return { action: "stop", reason: "empty prompt" };
  if (/ignore (all )?previous instructions/.test(seen)) {
    return {
      action: "stop",
      reason: "the prompt tries to replace the instructions",
      response: `This was not sent: ${first(prompt, 40)}`,
    };
  }
  const notices = [];
  const replaced = (text, pattern, by, told) => {
    const found = text.match(pattern)?.length ?? 0;
    if (found > 0) notices.push(`${found} ${told}`);
    return text.replace(pattern, by);
  };
  let rewritten = prompt.replace(/^\/plan /, "Make a plan first, and change nothing.\n\n");
  rewritten = replaced(rewritten, keys, "[key removed]", "key(s) removed from the prompt");
  rewritten = replaced(rewritten, brokenCharacters, "\ufffd", "broken character(s) replaced");
  const hints = HINTS.filter(([pattern]) => pattern.test(seen)).map(([, hint]) => hint);
  const length = count(prompt);
  if (length > JUDGED) notices.push(`the prompt has ${length} characters`);
  return {
    ...(rewritten === prompt ? {} : { prompt: rewritten }),
    ...(hints.length === 0 ? {} : { context: hints.join("\n") }),
    ...(notices.length === 0 ? {} : { notice: notices.join("; ") }),
  };
}

module.exports = { beforeGeneration };
