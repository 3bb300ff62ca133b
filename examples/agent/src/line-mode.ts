import { createInterface } from "node:readline/promises";
import {
  deedLines,
  deniedLine,
  type GatedCall,
  type Hooks,
  type Moment,
  noticeLine,
  printableLine,
  type Question,
  type Run,
  runLine,
  subjectOf,
} from "wasmhook";
import type { AgentFile } from "./agent-file.js";
import type { Model } from "./model.js";
import { type Answer, type Screen, Session } from "./session.js";

const isColored = process.stdout.isTTY && !process.env.NO_COLOR;
const dim = (text: string) => (isColored ? `\u001b[2m${text}\u001b[22m` : text);
const print = (text: string) => process.stdout.write(`${text}\n`);

/** Questions in, answers out, line by line, until stdin ends. */
export async function lineMode(agent: AgentFile, hooks: Hooks, model: Model): Promise<void> {
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: process.stdin.isTTY,
  });
  const typed = lines[Symbol.asyncIterator]();
  // Calls are made at the same time, and questions are put one after the other.
  let asked: Promise<unknown> = Promise.resolve();
  // Of the hooks around calls, since the last answer.
  const ran: Run[] = [];
  const screen: Screen = {
    confirm(question) {
      const answer = asked.then(() => confirm(question, typed));
      asked = answer;
      return answer;
    },
    showCall(_call, gated) {
      showCall(gated, columns());
      ran.push(...gated.runs);
    },
  };
  const session = new Session({ agent, model, hooks, cwd: process.cwd(), screen }, `line-${process.pid}`);
  const answer = async (text: string) => {
    let answered: Answer;
    try {
      answered = await session.ask(text);
    } catch (error) {
      // Such as a model that cannot be reached: the session goes on.
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      return;
    }
    showAnswer(answered);
    const of = (moment: Moment) => answered.runs.filter(({ event }) => event === moment);
    const runs = [...of("preGeneration"), ...ran.splice(0), ...of("postGeneration")];
    if (hooks.config.displayHooks) for (const run of runs) print(dim(runLine(run, columns())));
  };
  print(banner(agent, hooks));
  for (;;) {
    process.stdout.write("> ");
    const { value, done } = await typed.next();
    if (done === true) break;
    const text = value.trim();
    if (text === "") continue;
    if (text === "/hooks") {
      print(hooks.listing);
    } else if (text === "/plan") {
      session.isPlanning = !session.isPlanning;
      print(`plan mode: ${session.isPlanning ? "on" : "off"}`);
    } else {
      await answer(text);
    }
  }
  lines.close();
}

function columns(): number {
  return process.stdout.columns || 80;
}

function banner({ model, tools, yolo }: AgentFile, { banner }: Hooks): string {
  const parts = [model.name, `tools: ${tools.join(", ")}`, `yolo: ${yolo ? "on" : "off"}`, banner];
  return parts.filter((part) => part !== "").join(" | ");
}

async function confirm({ call, reason }: Question, typed: AsyncIterator<string>): Promise<boolean> {
  const why = reason === undefined ? "" : ` (${printableLine(reason)})`;
  process.stdout.write(`${call.name}: ${printableLine(subjectOf(call))}${why}\nProceed? [y/N] `);
  const { value, done } = await typed.next();
  return done !== true && /^y(es)?$/i.test(value.trim());
}

function showCall({ status, call, reason, runs, notices }: GatedCall, columns: number): void {
  if (status === "denied") print(deniedLine(call.name, reason));
  else print(dim(`${call.name}: ${printableLine(subjectOf(call), columns - 20)} [${status}]`));
  for (const line of deedLines(runs, call.name, columns)) print(dim(line));
  for (const notice of notices) print(dim(noticeLine(notice)));
}

function showAnswer({ response, notices }: Answer): void {
  print(response);
  for (const notice of notices) print(dim(noticeLine(notice)));
}
