// Draws docs/demo.svg from a real run of the demo on a pseudo-terminal (`script`, of util-linux).
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const ESCAPE = String.fromCharCode(27);
const LINE_HEIGHT = 18;
const CHAR_WIDTH = 8.43;
const MARGIN = 16;
const STYLES = {
  "2m": "fill-opacity:.6",
  "31m": "fill:#ff7b72",
  "32m": "fill:#7ee787",
  "33m": "fill:#e3b341",
};

const text = execFileSync("script", ["-qec", "node scripts/demo.mjs", "/dev/null"], {
  encoding: "utf8",
  env: Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "NO_COLOR")),
});
const lines = text.replaceAll("\r", "").trim().split("\n");

/** A line's pieces of one style each; a colour code stands at the start of every piece but the first. */
function pieces(line) {
  const [first, ...rest] = line.split(`${ESCAPE}[`);
  const styled = rest.map((piece) => {
    const [, code, plain] = /^(\d*m)(.*)$/.exec(piece);
    return { style: STYLES[code] ?? "", plain };
  });
  return [{ style: first.startsWith("$ ") ? "fill:#79c0ff" : "", plain: first }, ...styled];
}

function toXml(plain) {
  return plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const drawn = lines.map(pieces);
const columns = Math.max(...drawn.map((line) => line.reduce((sum, { plain }) => sum + plain.length, 0)));
const width = Math.ceil(columns * CHAR_WIDTH + 2 * MARGIN);
const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
const rows = drawn.map((line, i) => {
  const spans = line.map(({ style, plain }) => `<tspan style="${style}">${toXml(plain)}</tspan>`).join("");
  return `<text x="${MARGIN}" y="${MARGIN + 13 + i * LINE_HEIGHT}">${spans}</text>`;
});
const font = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";
writeFileSync(
  new URL("../docs/demo.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${font}" font-size="14" fill="#e6edf3" xml:space="preserve">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${rows.join("\n")}
</svg>
`,
);
