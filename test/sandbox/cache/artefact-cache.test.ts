import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ArtefactCache } from "#src/sandbox/cache/artefact-cache";
import { folder } from "../../support/cli.js";

const BYTES = Uint8Array.from({ length: 500 }, (_, i) => i % 251);
const OTHER = Uint8Array.of(1, 2, 3);
const CHECKSUM_BYTES = 32;
const HOUR_MS = 60 * 60 * 1000;
const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

async function emptyCache(limitBytes?: number): Promise<ArtefactCache> {
  return new ArtefactCache(join(await folder(), "cache"), limitBytes === undefined ? {} : { limitBytes });
}

/** A cache with one artefact, and its file. */
async function filledCache(): Promise<{ cache: ArtefactCache; file: string }> {
  const cache = await emptyCache();
  await cache.put("key", BYTES);
  const [name = ""] = await readdir(cache.folder);
  return { cache, file: join(cache.folder, name) };
}

async function usedAt(cache: ArtefactCache, key: string, hoursAgo: number): Promise<void> {
  const before = new Set(await readdir(cache.folder).catch(() => []));
  await cache.put(key, BYTES);
  const time = new Date(Date.now() - hoursAgo * HOUR_MS);
  for (const name of await readdir(cache.folder)) {
    if (!before.has(name)) await utimes(join(cache.folder, name), time, time);
  }
}

describe("a cache gives what was put there", () => {
  test("to another process too, and nothing for another key", async () => {
    const cache = await emptyCache();
    expect(await cache.get("key")).toBeUndefined();
    await cache.put("key", BYTES);
    await cache.put("other", OTHER);
    expect(await cache.get("key")).toEqual(BYTES);
    const again = new ArtefactCache(cache.folder);
    expect(await again.get("key")).toEqual(BYTES);
    expect(await again.get("other")).toEqual(OTHER);
    expect(await again.get("third")).toBeUndefined();
  });

  test("the last of it where it was put more than once", async () => {
    const { cache } = await filledCache();
    await cache.put("key", OTHER);
    expect(await cache.get("key")).toEqual(OTHER);
    expect(await readdir(cache.folder)).toHaveLength(1);
  });

  test("from files and a folder that only the user has rights to, whatever the umask", async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const { cache, file } = await filledCache();
    expect((await stat(cache.folder)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("while many put the same and others at once", async () => {
    const cache = await emptyCache();
    const processes = Array.from({ length: 20 }, () => new ArtefactCache(cache.folder));
    await Promise.all(processes.map((one, i) => one.put(i % 2 === 0 ? "key" : `key ${i}`, BYTES)));
    expect(await cache.get("key")).toEqual(BYTES);
    expect(await cache.contents()).toMatchObject({ artefacts: 11 });
    expect(await readdir(cache.folder)).toHaveLength(11);
  });
});

describe("a file is a miss, and is replaced by the next that is put there, when it", () => {
  const damages: [what: string, damage: (file: string, cache: ArtefactCache) => Promise<unknown>][] = [
    ["is empty", (file) => truncate(file)],
    ["is cut off within its checksum", (file) => truncate(file, CHECKSUM_BYTES - 1)],
    ["is cut off behind its checksum", (file) => truncate(file, CHECKSUM_BYTES)],
    ["lacks its last byte", (file) => truncate(file, CHECKSUM_BYTES + BYTES.length - 1)],
    ["has a byte more", (file) => writeFile(file, "x", { flag: "a" })],
    ["is somebody's file that is no artefact", (file) => writeFile(file, "my shopping list")],
    [
      "was put there under another key",
      async (file, cache) => {
        await cache.put("other", OTHER);
        const other = (await readdir(cache.folder)).find((name) => !file.endsWith(name)) ?? "";
        await rename(join(cache.folder, other), file);
      },
    ],
    ["can be read by others", (file) => chmod(file, 0o604)],
    ["can be written by its group", (file) => chmod(file, 0o620)],
    [
      "is a link, if to the very artefact",
      async (file, cache) => {
        const elsewhere = join(cache.folder, "..", "elsewhere");
        await rename(file, elsewhere);
        await symlink(elsewhere, file);
      },
    ],
    [
      "is a link to nothing",
      async (file) => {
        await rename(file, `${file}.gone`);
        await symlink("nothing", file);
      },
    ],
    [
      "is a pipe",
      async (file) => {
        await rename(file, `${file}.gone`);
        execFileSync("mkfifo", ["-m", "600", file]);
      },
    ],
    [
      "is a folder, with something in it",
      async (file) => {
        await rename(file, `${file}.gone`);
        await mkdir(file, { mode: 0o700 });
        await writeFile(join(file, "x"), "x");
      },
    ],
  ];
  if (isRoot) damages.push(["belongs to another user", (file) => chown(file, NOBODY, NOBODY)]);

  test.each(damages)("%s", async (_what, damage) => {
    const { cache, file } = await filledCache();
    await damage(file, cache);
    expect(await cache.get("key")).toBeUndefined();
    await cache.put("key", BYTES);
    expect(await cache.get("key")).toEqual(BYTES);
    const replaced = await stat(file);
    expect([replaced.isFile(), replaced.mode & 0o777, replaced.uid]).toEqual([
      true,
      0o600,
      process.geteuid?.(),
    ]);
  });

  test("has one bit changed, wherever it is", async () => {
    const { cache, file } = await filledCache();
    const whole = await readFile(file);
    for (let at = 0; at < whole.length; at++) {
      const changed = Uint8Array.from(whole);
      changed[at]! ^= 1 << (at % 8);
      await writeFile(file, changed);
      expect(await cache.get("key"), `byte ${at}`).toBeUndefined();
    }
    await writeFile(file, whole);
    expect(await cache.get("key")).toEqual(BYTES);
  });
});

describe("nothing is got from a folder, nor put there, that", () => {
  /** Each makes of a folder with an artefact in it one that is not to be relied on. */
  const faults: [what: string, spoil: (folder: string) => Promise<unknown>, said: RegExp][] = [
    ["others may look into", (path) => chmod(path, 0o711), /chmod 700/],
    ["others may write to", (path) => chmod(path, 0o702), /chmod 700/],
    [
      "is a link",
      async (path) => {
        await rename(path, `${path}.there`);
        await symlink(`${path}.there`, path);
      },
      /is a link/,
    ],
    [
      "is none",
      async (path) => {
        await rename(path, `${path}.there`);
        await copyFile("/dev/null", path);
      },
      /no folder/,
    ],
  ];
  if (isRoot) faults.push(["belongs to another user", (path) => chown(path, NOBODY, NOBODY), /another user/]);

  test.each(faults)("%s", async (_what, spoil, said) => {
    const { cache } = await filledCache();
    expect(await cache.fault()).toBeUndefined();
    await spoil(cache.folder);
    const before = await readdir(cache.folder).catch(() => []);
    expect(await cache.get("key")).toBeUndefined();
    await cache.put("other", OTHER);
    expect(await cache.get("other")).toBeUndefined();
    expect(await readdir(cache.folder).catch(() => [])).toEqual(before);
    expect(await cache.fault()).toMatch(said);
  });

  test("cannot be made", async () => {
    const cache = new ArtefactCache("/dev/null/cache");
    await cache.put("key", BYTES);
    expect(await cache.get("key")).toBeUndefined();
    expect(await cache.fault()).toMatch(/ENOTDIR/);
  });

  test("can only be read", async () => {
    const { cache } = await filledCache();
    await asNobody(cache.folder, async () => {
      chmodSync(cache.folder, 0o500);
      await cache.put("other", OTHER);
      await cache.put("key", OTHER);
      expect(await cache.get("other")).toBeUndefined();
      expect(await cache.get("key"), "what is there is still good").toEqual(BYTES);
      chmodSync(cache.folder, 0o700);
    });
  });
});

/** Runs as a user without rights, whose folder it becomes, where the tests run as root, who may write everywhere. */
async function asNobody(path: string, run: () => Promise<void>): Promise<void> {
  if (!isRoot) return run();
  for (const name of await readdir(path)) await chown(join(path, name), NOBODY, NOBODY);
  await chown(path, NOBODY, NOBODY);
  await chmod(join(path, ".."), 0o755);
  process.seteuid?.(NOBODY);
  try {
    await run();
  } finally {
    process.seteuid?.(0);
  }
}

describe("a cache is bounded:", () => {
  const FILE_BYTES = CHECKSUM_BYTES + BYTES.length;

  test("what was not used for longest goes first", async () => {
    const cache = await emptyCache(3 * FILE_BYTES);
    await usedAt(cache, "old", 3);
    await usedAt(cache, "older", 4);
    await usedAt(cache, "oldest", 5);
    expect(await cache.contents()).toEqual({ artefacts: 3, bytes: 3 * FILE_BYTES });
    await cache.get("oldest");
    await cache.put("new", BYTES);
    expect(await cache.contents()).toEqual({ artefacts: 3, bytes: 3 * FILE_BYTES });
    expect(await cache.get("older")).toBeUndefined();
    for (const key of ["old", "oldest", "new"]) expect(await cache.get(key), key).toEqual(BYTES);
  });

  test("what is larger than all of it leaves the others there", async () => {
    const cache = await emptyCache(FILE_BYTES);
    await cache.put("key", BYTES);
    await cache.put("large", new Uint8Array(BYTES.length + 1));
    expect(await cache.get("large")).toBeUndefined();
    expect(await cache.get("key")).toEqual(BYTES);
  });

  test("what a writer left that has died counts, and goes after an hour", async () => {
    const { cache, file } = await filledCache();
    const part = `${file}.00000000-0000-4000-8000-000000000000.part`;
    await writeFile(part, BYTES);
    expect(await cache.contents()).toEqual({ artefacts: 1, bytes: FILE_BYTES + BYTES.length });
    await cache.put("other", OTHER);
    expect(await readdir(cache.folder)).toHaveLength(3);
    const time = new Date(Date.now() - HOUR_MS - 1000);
    await utimes(part, time, time);
    await cache.put("other", OTHER);
    expect(await readdir(cache.folder)).toHaveLength(2);
  });

  test("a file that is not of a cache neither counts nor goes", async () => {
    const cache = await emptyCache(FILE_BYTES);
    await usedAt(cache, "old", 3);
    const mine = join(cache.folder, "notes.txt");
    await writeFile(mine, new Uint8Array(10 * FILE_BYTES));
    await cache.put("new", BYTES);
    expect(await cache.contents()).toEqual({ artefacts: 1, bytes: FILE_BYTES });
    await cache.clear();
    expect(await readdir(cache.folder)).toEqual(["notes.txt"]);
  });
});

describe("clearing a cache", () => {
  test("takes out all of it, and says how much that was", async () => {
    const { cache } = await filledCache();
    await cache.put("other", OTHER);
    const bytes = 2 * CHECKSUM_BYTES + BYTES.length + OTHER.length;
    expect(await cache.clear()).toEqual({ artefacts: 2, bytes });
    expect(await cache.get("key")).toBeUndefined();
    expect(await readdir(cache.folder)).toEqual([]);
    await cache.put("key", BYTES);
    expect(await cache.get("key")).toEqual(BYTES);
  });

  test("that is not there yet takes out nothing", async () => {
    const cache = await emptyCache();
    expect(await cache.clear()).toEqual({ artefacts: 0, bytes: 0 });
    expect(await cache.contents()).toEqual({ artefacts: 0, bytes: 0 });
  });
});
