import { styleText } from "node:util";

export type Color = Parameters<typeof styleText>[0];

/** Colours a text. Whether there is to be colour, the caller has decided; Node's own look at the terminal would overrule it. */
export function paint(color: Color, text: string): string {
  return styleText(color, text, { validateStream: false });
}
