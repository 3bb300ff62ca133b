const { Failure } = require("./failure.cjs");
const { JUDGED, count, first, isBlank, judged, keys, lower, trimmed } = require("./text.cjs");

/** Each rule that holds, in order. */
const held = (rules) => rules.filter(([holds]) => holds).map(([, text]) => text);

function said(contexts, notices) {
  return {
    ...(contexts.length === 0 ? {} : { context: contexts.join("\n") }),
    ...(notices.length === 0 ? {} : { notice: notices.join("; ") }),
  };
}

const STACK_TRACE = /Traceback \(most recent call last\)|panicked at|Exception in thread|^ {4}at /;
const ESCAPE_SEQUENCE = "\u001b[";

function afterSuccess({ name, input, output = "" }) {
  const seen = judged(output);
  const trace = seen.split("\n").find((line) => STACK_TRACE.test(line));
  const edits = name === "multi_edit" && Array.isArray(input.edits) ? input.edits.length : undefined;
  return said(
    held([
      [output === "", "The tool gave no output."],
      [seen.includes(ESCAPE_SEQUENCE), "Escape sequences in the output are colours: ignore them."],
      [trace !== undefined, `Stack trace in the output of ${name}: ${first(trimmed(trace ?? ""), 120)}`],
      [count(output) >= JUDGED, "The output is long: look only at what you need."],
      [edits !== undefined, `${edits} edits were made.`],
    ]),
    held([
      [/AKIA[A-Z0-9]{16}/.test(seen), `the output of ${name} holds what looks like an AWS key`],
      [
        typeof input.timeout === "number" && input.timeout > 600,
        `a timeout of ${JSON.stringify(input.timeout)} s`,
      ],
    ]),
  );
}

function afterFailure({ name, error }) {
  const seen = judged(error);
  const lowered = lower(seen);
  const [before, ...rest] = seen.split(": command not found");
  const missing = rest.length > 0 && before.split(/[: \t\n\r]/).at(-1);
  const hints = held([
    [/no such file|enoent/.test(lowered), "Check the path: list the directory first."],
    [/permission denied|eacces/.test(lowered), "You may not do this. Do not try it with sudo."],
    [/timed out|etimedout/.test(lowered), "Try a smaller step."],
    [missing, `${missing} is not installed.`],
  ]);
  if (isBlank(error)) return { notice: `${name} failed without a word` };
  return { context: hints.length === 0 ? "Read the message before you try again." : hints.join("\n") };
}

/** What is said after a tool call. */
function afterCall({ tool }) {
  return tool.error === undefined ? afterSuccess(tool) : afterFailure(tool);
}

/** What is said after generation. */
function afterGeneration({ prompt = "", response }) {
  if (typeof response !== "string") throw new Failure("a turn without a response cannot be judged");
  const seen = judged(response);
  const fences = seen.split("\n").filter((line) => line.startsWith("```")).length;
  const deploys = lower(judged(prompt)).includes("deploy");
  return said(
    [],
    held([
      [isBlank(response), "the model gave no answer"],
      [fences % 2 === 1, "a code block is not closed"],
      [/TODO|FIXME/.test(seen), "the answer leaves work to do"],
      [deploys && seen.includes("git push"), "the answer deploys by hand"],
      [seen.search(keys) >= 0, "the answer holds a key"],
      [count(response) >= JUDGED, "the answer is long"],
    ]),
  );
}

module.exports = { afterCall, afterGeneration };
