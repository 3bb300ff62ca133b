import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { bash, builtExample, testEvents, testHooksJson } from "./examples.js";

describe("the example no-force-push-ts", async () => {
  const example = builtExample("no-force-push-ts");
  await testEvents(example);
  testHooksJson(example);

  it("has the events of the one in AssemblyScript, and what they come to", async () => {
    const own = `${example.folder}events/`;
    const other = `${example.folder}../no-force-push/events/`;
    expect(await readdir(own)).toEqual(await readdir(other));
    for (const name of await readdir(own)) {
      expect(await readFile(own + name, "utf8")).toBe(await readFile(other + name, "utf8"));
    }
  });

  it("gives the reason of its config", async () => {
    const answer = await example.run(bash("git push -f"), { config: { reason: "Not on my watch." } });
    expect(answer).toMatchObject({ decision: { action: "deny", reason: "Not on my watch." } });
  });
});
