import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import type { Model } from "./model.js";

const Turn = z.strictObject({
  say: z.string().default(""),
  /** Says what the last tool or the user said. */
  repeat: z.boolean().default(false),
  calls: z.array(z.record(z.string(), z.record(z.string(), z.json()))).default([]),
});
const Script = z.strictObject({
  turns: z.array(Turn),
  /** What a delegated question is answered by, by the question. */
  delegated: z.record(z.string(), z.array(Turn)).default({}),
});

/**
 * A model that says what stands in a file, turn after turn, whatever it is asked: for demonstrations and tests.
 *
 * @throws Error that says what is wrong with the file
 */
export async function scriptedModel(file: string): Promise<Model> {
  const read = Script.safeParse(parse(await readFile(file, "utf8")));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  const { turns, delegated } = read.data;
  let calls = 0;
  return {
    async reply(messages) {
      const asked = messages.find(({ role }) => role === "user");
      const own = asked !== undefined && "text" in asked ? delegated[asked.text] : undefined;
      const turn = (own ?? turns).shift();
      if (turn === undefined) return { text: "(the script is at its end)", calls: [] };
      const last = messages.at(-1);
      return {
        text: turn.repeat && last !== undefined ? last.text : turn.say,
        calls: turn.calls.flatMap((call) =>
          Object.entries(call).map(([name, input]) => ({ id: `call-${++calls}`, name, input })),
        ),
      };
    },
  };
}
