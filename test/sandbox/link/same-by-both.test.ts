import { describe, expect, test } from "vitest";
import { componentFromWat } from "../../support/components.js";
import { bothWays } from "./both-ways.js";
import { ODD } from "./odd-components.js";

const run = bothWays();
const EVENT = '{"event":"preToolCall","text":"é中😀"}';
const CONFIG = '{"paths":["é","😀"]}';

describe("a component with", () => {
  test.each(Object.entries(ODD))("%s gives the same both ways", async (_what, fields) => {
    const bytes = await componentFromWat(`(component ${fields})`);
    const [direct, transpiled] = await run(bytes, { event: EVENT, config: CONFIG });
    expect(direct).toEqual(transpiled);
  });
});
