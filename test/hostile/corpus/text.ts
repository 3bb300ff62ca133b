import { watBytes } from "../../support/guests.js";
import { answers, Family, LOG, NOTHING, type Source } from "../hostile.js";

function saying(result: 0 | 1, bytes: number[]): Source {
  return answers(`(call $answer (i32.const ${result}) (i32.const 1024) (i32.const ${bytes.length}))`, {
    fields: `(data (i32.const 1024) "${watBytes(Uint8Array.from(bytes))}")`,
    textBytes: bytes.length,
  });
}

const ascii = (characters: string) => [...new TextEncoder().encode(characters)];
const output = (...bytes: number[]) => saying(0, bytes);
const reason = (text: string) => saying(0, ascii(JSON.stringify({ action: "deny", reason: text })));

/** Text that is none, or that means something to a terminal. */
export const text = new Family("text")
  .fails("bad-output", {
    "a continuation byte on its own": output(0x80),
    "a character that is cut off": output(0x20, 0xe4, 0xb8),
    "a slash in two bytes, the overlong form": output(0xc0, 0xaf),
    "NUL in two bytes, the overlong form": output(0xc0, 0x80),
    "a slash in four bytes, the overlong form": output(0xf0, 0x80, 0x80, 0xaf),
    "a high surrogate": output(0xed, 0xa0, 0x80),
    "a low surrogate": output(0xed, 0xb0, 0x80),
    "a pair of surrogates, as CESU-8 has them": output(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
    "a character beyond U+10FFFF": output(0xf4, 0x90, 0x80, 0x80),
    "a byte that no text has": output(0xff),
    "an error's message that is not UTF-8": saying(1, [0x66, 0xff]),
    "a log line that is not UTF-8": answers(
      `(i32.store8 (i32.const 1024) (i32.const 0xfe)) (call $log (i32.const 0) (i32.const 1024) (i32.const 1)) ${NOTHING}`,
      { imports: LOG },
    ),
  })
  .fails("bad-decision", {
    "nothing but NUL": output(0x00),
    "a NUL after a decision": output(...ascii('{"action":"deny"}'), 0x00),
    "a byte order mark before a decision": output(0xef, 0xbb, 0xbf, ...ascii('{"action":"deny"}')),
  })
  .fails("guest-error", {
    "an error's message that writes to the terminal": {
      guest: saying(1, ascii("\u001b[2J\u001b]0;owned\u0007")),
    },
    "an error without words": saying(1, []),
  })
  .survives({
    "a reason that writes to the terminal, kept as it is for who embeds": {
      guest: reason("\u001b[31mred\u001b[0m\u0007\u009b1m"),
      outcome: { decision: "deny", reason: "\u001b[31mred\u001b[0m\u0007\u009b1m" },
    },
    "a reason that turns the direction of the text around": {
      guest: reason("\u202egnp.exe\u2066\u2069"),
      outcome: { decision: "deny", reason: "\u202egnp.exe\u2066\u2069" },
    },
    "a reason with every kind of line end": {
      guest: reason("a\u2028b\u2029c\rd\ne\0f"),
      outcome: { decision: "deny", reason: "a\u2028b\u2029c\rd\ne\0f" },
    },
    "a reason with a lone surrogate, as JSON can escape one": {
      guest: saying(0, ascii('{"action":"deny","reason":"\\ud800"}')),
      outcome: { decision: "deny" },
    },
  });
