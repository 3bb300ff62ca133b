import { cp, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { codeId } from "#src/sandbox/cache/code-id";
import { folder } from "../../support/cli.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const METER = "dist/sandbox/meter.js";

/** A copy of the package, whose files are safe to change, and its own `codeId`. */
async function copiedPackage(): Promise<{ root: string; id: () => string | undefined }> {
  const root = await folder();
  await cp(join(ROOT, "dist/sandbox"), join(root, "dist/sandbox"), { recursive: true });
  await cp(join(ROOT, "package.json"), join(root, "package.json"));
  const file = join(root, "dist/sandbox/cache/code-id.js");
  const copy = (await import(pathToFileURL(file).href)) as { codeId: typeof codeId };
  return { root, id: copy.codeId };
}

describe("the id of the sandbox's code", () => {
  test("stays while the code does, and is known in the package itself", async () => {
    const { id } = await copiedPackage();
    expect(id()).toMatch(/^[0-9a-f]{64}$/);
    expect(id()).toBe(id());
    expect(codeId()).toBe(codeId());
    expect(codeId()).not.toBe(id());
  });

  test.each<[string, (root: string) => Promise<void>]>([
    [
      "has another character, and the time of before",
      async (root) => {
        const file = join(root, METER);
        const text = await readFile(file, "utf8");
        await writeFile(file, text.replace("min", "max"));
        const long = new Date("1985-10-26T08:15:00Z");
        await utimes(file, long, long);
      },
    ],
    ["is built again", async (root) => writeFile(join(root, METER), await readFile(join(root, METER)))],
    ["has a new file", (root) => writeFile(join(root, "dist/sandbox/link/new.js"), "")],
    [
      "is another version",
      async (root) => {
        const file = join(root, "package.json");
        await writeFile(file, (await readFile(file, "utf8")).replace('"0.1.0"', '"0.1.1"'));
      },
    ],
  ])("is another when the code %s", async (_what, change) => {
    const { root, id } = await copiedPackage();
    const before = id();
    await change(root);
    expect(id()).toMatch(/^[0-9a-f]{64}$/);
    expect(id()).not.toBe(before);
  });

  test("is not known where the package is not on the disk as it was installed", async () => {
    const { root } = await copiedPackage();
    const bundled = join(root, "dist/bundle.js");
    await cp(join(root, "dist/sandbox/cache/code-id.js"), bundled);
    const copy = (await import(pathToFileURL(bundled).href)) as { codeId: typeof codeId };
    expect(copy.codeId()).toBeUndefined();
  });
});
