import { padColumns } from "./columns.js";
import { type Hook, hookLabel } from "./hook.js";
import { printableLine } from "./printable.js";

export interface Listing {
  title: string;
  /** The config file's path, as the user knows it. */
  file: string;
  hooks: readonly Hook[];
  eventName: (hook: Hook) => string;
  /** One line each. */
  problems: readonly string[];
}

/** As wide as the mnemoai document shows it. */
const MATCHER_COLUMNS = 20;
const LABEL_COLUMNS = 49;

/** The text of the `/hooks` command. Source: the mnemoai document; `mm` hooks are listed alike. */
export function listHooks({ title, file, hooks, eventName, problems }: Listing): string {
  const lines = [title, `  config: ${printableLine(file)}`];
  for (const [event, ofEvent] of groupBy(hooks, eventName)) {
    lines.push("", `  ${event}`, ...ofEvent.map(hookLine));
  }
  lines.push("", `  ${hooks.length} hook(s), read at startup — restart to apply an edit.`);
  if (problems.length > 0) lines.push("", ...problems.map((problem) => `  ! ${printableLine(problem)}`));
  return lines.join("\n");
}

function hookLine(hook: Hook): string {
  const matcher = padColumns(printableLine(hook.matcher.source || "*"), MATCHER_COLUMNS);
  return `    ${matcher} ${printableLine(hookLabel(hook), LABEL_COLUMNS)}  (${limitOf(hook)})`;
}

function limitOf({ runner }: Hook): string {
  if (runner.kind === "broken") return "cannot run";
  if (runner.kind === "command") return `${runner.timeoutMs / 1000}s`;
  return `${runner.limits.fuel.toLocaleString("en")} fuel`;
}

function groupBy(hooks: readonly Hook[], key: (hook: Hook) => string): Map<string, Hook[]> {
  const groups = new Map<string, Hook[]>();
  for (const hook of hooks) groups.set(key(hook), [...(groups.get(key(hook)) ?? []), hook]);
  return groups;
}
