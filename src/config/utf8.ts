import { isUtf8 } from "node:buffer";
import type { Position } from "./position.js";
import type { Report } from "./problem.js";

/** Decodes a text file; a byte order mark at its start is dropped. What is not UTF-8 is a problem. */
export function decodeUtf8(bytes: Uint8Array, report: Report): string | undefined {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const looks = bytes[0] === 0xff || bytes[0] === 0xfe ? " but looks like UTF-16" : "";
  report("not-utf8", firstFault(bytes), `the file is not UTF-8${looks}: save it as UTF-8`);
  return undefined;
}

/** No sequence of UTF-8 holds a line feed, so lines can be tried one by one. */
function firstFault(bytes: Uint8Array): Position {
  let line = 1;
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(0x0a) + 1 || rest.length;
    if (!isUtf8(rest.subarray(0, end))) break;
    rest = rest.subarray(end);
    line++;
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let column = 1;
  try {
    for (const byte of rest) column += decoder.decode(Uint8Array.of(byte), { stream: true }).length;
  } catch {
    // The column is that of the sequence that could not be completed.
  }
  return { line, column };
}
