// Draws docs/demo.svg and docs/agent.svg from real runs on a pseudo-terminal (`script`, of util-linux).
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

const ESCAPE = String.fromCharCode(27);
const LINE_HEIGHT = 18;
const CHAR_WIDTH = 8.43;
const MARGIN = 16;
const COLUMNS = 100;
const STYLES = {
  "2m": "fill-opacity:.6",
  "31m": "fill:#ff7b72",
  "32m": "fill:#7ee787",
  "33m": "fill:#e3b341",
};
/** What moves the cursor, which a picture has not. */
const MOVES = new RegExp(`${ESCAPE}\\[\\??\\d*[A-HJKhl]`, "g");

/** What a command writes; each of the lines is typed when it waits for one. */
async function screenOf(command, typed = []) {
  const child = spawn("script", ["-qec", `stty cols ${COLUMNS}; ${command}`, "/dev/null"], {
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "NO_COLOR")),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    if (!/(^|\n)(> |.*\[y\/N\] )$/.test(text.replaceAll(MOVES, ""))) return;
    const next = typed.shift();
    if (next === undefined) child.stdin.write("\u0004");
    else child.stdin.write(`${next}\r`);
  });
  await new Promise((resolve) => child.on("close", resolve));
  return text.replaceAll(MOVES, "").replaceAll("\r", "").replace(/\n> $/, "").trim();
}

/** A line's pieces of one style each; a colour code stands at the start of every piece but the first. */
function pieces(line) {
  const [first, ...rest] = line.split(`${ESCAPE}[`);
  const styled = rest.map((piece) => {
    const [, code, plain] = /^(\d*m)(.*)$/.exec(piece);
    return { style: STYLES[code] ?? "", plain };
  });
  return [{ style: /^[$>] /.test(first) ? "fill:#79c0ff" : "", plain: first }, ...styled];
}

function toXml(plain) {
  return plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function draw(name, text) {
  const drawn = text.split("\n").map(pieces);
  const columns = Math.max(...drawn.map((line) => line.reduce((sum, { plain }) => sum + plain.length, 0)));
  const width = Math.ceil(columns * CHAR_WIDTH + 2 * MARGIN);
  const height = drawn.length * LINE_HEIGHT + 2 * MARGIN;
  const rows = drawn.map((line, i) => {
    const spans = line.map(({ style, plain }) => `<tspan style="${style}">${toXml(plain)}</tspan>`).join("");
    return `<text x="${MARGIN}" y="${MARGIN + 13 + i * LINE_HEIGHT}">${spans}</text>`;
  });
  const font = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";
  writeFileSync(
    new URL(`../docs/${name}.svg`, import.meta.url),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${font}" font-size="14" fill="#e6edf3" xml:space="preserve">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${rows.join("\n")}
</svg>
`,
  );
}

draw("demo", await screenOf("node scripts/demo.mjs"));
draw(
  "agent",
  await screenOf("node examples/agent/dist/main.js demos/hooks/agent.yaml --script demos/hooks/turns.yaml", [
    "What is the state of this folder?",
    "Force-push the main branch.",
    "My key is AKIAIOSFODNN7EXAMPLE, is it valid?",
    "Write a file.",
    "n",
  ]),
);
