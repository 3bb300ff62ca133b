// What README.md says of characters, words and lines.

const JUDGED = 20_000;

const characters = (text) => [...text];
const first = (text, count) => (text.length <= count ? text : characters(text).slice(0, count).join(""));

module.exports = {
  JUDGED,
  first,
  count: (text) => characters(text).length,
  judged: (text) => first(text, JUDGED),
  words: (text) => text.split(/[ \t\n\r]+/).filter((word) => word !== ""),
  lower: (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  isBlank: (text) => /^[ \t\n\r]*$/.test(text),
  trimmed: (text) => text.replace(/^[ \t\n\r]+/, "").replace(/[ \t\n\r]+$/, ""),
  brokenCharacters: /\p{Surrogate}/gu,
  keys: /sk-[A-Za-z0-9_-]{20,}/g,
};
