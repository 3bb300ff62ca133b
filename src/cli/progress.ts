import type { Io } from "./io.js";

const FIRST_MS = 1_000;
const NEXT_MS = 10_000;

/** Tells on stderr how far something is that takes over a second, until it is disposed of. */
export function progress({ stderr }: Pick<Io, "stderr">, text: () => string): Disposable {
  let timer: NodeJS.Timeout;
  const tell = () => {
    stderr.write(`${text()}\n`);
    timer = setTimeout(tell, NEXT_MS);
  };
  timer = setTimeout(tell, FIRST_MS);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
