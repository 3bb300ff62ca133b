import type { HookEvent, Outcome } from "#src/index";
import type { Expected } from "./records.js";

/** What of an outcome must not depend on how its hooks are run: all but the figures and labels of the runs. */
export interface Said extends Omit<Outcome, "runs"> {
  /** The hooks that ran. */
  ran: string[];
}

export function saidIn({ runs, ...said }: Outcome): Said {
  const { reason } = said;
  return {
    ...said,
    ...(reason === undefined ? {} : { reason: withoutRunner(reason) }),
    notices: said.notices.map((notice) => ({ ...notice, text: withoutRunner(notice.text) })),
    ran: runs.map(({ hook }) => hook),
  };
}

/** A failure is told with the hook's label, and with how a hook of its kind can fail. */
function withoutRunner(text: string): string {
  return text.replace(/^hook .*? failed: (the command exited with 1|the hook says): /s, "hook failed: ");
}

/** What the guard alone comes to in the `mm` dialect, where its failure refuses what can be refused. */
export function expectedInMm({ fails, notice, ...decided }: Expected, { event: moment }: HookEvent): Said {
  const hook = `${moment}[0]`;
  const said = { decision: "none", notices: [], ran: [hook], ...decided } satisfies Said;
  if (notice !== undefined) return { ...said, notices: [{ hook, kind: "info", text: notice }] };
  if (fails === undefined) return said;
  const text = `hook failed: ${fails}`;
  if (moment === "preToolCall") return { ...said, decision: "deny", reason: text };
  return { ...said, notices: [{ hook, kind: "warning", text }] };
}

/** The same in the `mnemoai` dialect, where the guard says one thing only, and its failure is a notice. */
export function expectedInMnemoai(expected: Expected, { event: moment, tool }: HookEvent): Said {
  const post = tool?.error === undefined ? "PostToolUse" : "PostToolUseFailure";
  const hook = `${moment === "preToolCall" ? "PreToolUse" : post}[0].hooks[0]`;
  const said: Said = { decision: "none", notices: [], ran: [hook] };
  const { decision, reason, context, notice, fails } = expected;
  if (fails !== undefined) {
    return { ...said, notices: [{ hook, kind: "warning", text: `hook failed: ${fails}` }] };
  }
  if (decision === "deny" || decision === "allow") return { ...said, decision, ...(reason && { reason }) };
  if (context !== undefined) return { ...said, context };
  return notice === undefined ? said : { ...said, notices: [{ hook, kind: "info", text: notice }] };
}

const PARTS = ["input", "prompt", "context"] as const;

/** How many of some outcomes have each decision and each part; a failed hook counts as `failure` alone. */
export function countParts(all: readonly Said[]): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (part: string): void => {
    counts[part] = (counts[part] ?? 0) + 1;
  };
  for (const said of all) {
    const told = [said.reason, ...said.notices.map(({ text }) => text)];
    if (told.some((text) => text?.startsWith("hook failed: "))) {
      count("failure");
      continue;
    }
    count(said.decision);
    for (const part of PARTS) if (said[part] !== undefined) count(part);
    if (said.notices.length > 0) count("notice");
  }
  return counts;
}
