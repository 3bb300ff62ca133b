import { homedir } from "node:os";
import { dialectNamed } from "../dialects/dialects.js";
import { listHooks } from "../hooks/listing.js";
import { bannerText } from "../hooks/turn-text.js";
import type { LoadedConfig } from "./load-config.js";
import { problemLine } from "./problem-line.js";

/** What an agent's `/hooks` command shows of a config file, and `wasmhook list`. */
export function shownListing({ dialect, file, hooks, problems }: LoadedConfig): string {
  const { listingTitle, eventName } = dialectNamed(dialect);
  return listHooks({
    title: listingTitle,
    file: shortenHome(file),
    hooks,
    eventName,
    problems: problems.map(problemLine),
  });
}

/** What an agent's banner ends with; empty where there are no hooks. */
export function shownBanner({ dialect, hooks }: LoadedConfig): string {
  return bannerText(hooks, dialectNamed(dialect).eventName);
}

function shortenHome(file: string): string {
  const home = homedir();
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}
