import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { cacheFolder, userCache } from "#src/sandbox/cache/user-cache";

const surroundings = { home: () => "/home/me", platform: "linux" as const };

describe("a user's cache is in", () => {
  test.each<[string, Record<string, string>, NodeJS.Platform, string | undefined]>([
    ["~/.cache", {}, "linux", "/home/me/.cache/wasmhook"],
    ["XDG_CACHE_HOME", { XDG_CACHE_HOME: "/xdg" }, "linux", "/xdg/wasmhook"],
    ["~/.cache where XDG_CACHE_HOME is empty", { XDG_CACHE_HOME: "" }, "linux", "/home/me/.cache/wasmhook"],
    // The specification: a relative path is invalid, and to be ignored.
    [
      "~/.cache where XDG_CACHE_HOME is relative",
      { XDG_CACHE_HOME: "x" },
      "linux",
      "/home/me/.cache/wasmhook",
    ],
    ["~/Library/Caches on macOS", {}, "darwin", "/home/me/Library/Caches/wasmhook"],
    [
      "WASMHOOK_CACHE_DIR itself, before all others",
      { WASMHOOK_CACHE_DIR: "/own", XDG_CACHE_HOME: "/xdg" },
      "linux",
      "/own",
    ],
    ["WASMHOOK_CACHE_DIR on macOS too", { WASMHOOK_CACHE_DIR: "/own" }, "darwin", "/own"],
    ["WASMHOOK_CACHE_DIR as seen from here", { WASMHOOK_CACHE_DIR: "own" }, "linux", resolve("own")],
    [
      "no folder where WASMHOOK_CACHE_DIR is empty",
      { WASMHOOK_CACHE_DIR: "", XDG_CACHE_HOME: "/xdg" },
      "linux",
      undefined,
    ],
  ])("%s", (_where, env, platform, expected) => {
    expect(cacheFolder({ ...surroundings, env, platform })).toBe(expected);
  });

  test("no folder where there is no home", () => {
    const none = () => {
      throw new Error("ENOENT");
    };
    expect(cacheFolder({ ...surroundings, env: {}, home: none })).toBeUndefined();
    expect(cacheFolder({ ...surroundings, env: {}, home: () => "" })).toBeUndefined();
    expect(cacheFolder({ ...surroundings, env: { XDG_CACHE_HOME: "/xdg" }, home: none })).toBe(
      "/xdg/wasmhook",
    );
  });

  test("what the system says of the user, unless it is told otherwise", () => {
    expect(cacheFolder({ env: {}, platform: "linux" })).toBe(join(homedir(), ".cache/wasmhook"));
  });

  test("no folder at all in a test that does not ask for one", () => {
    expect(userCache()).toBeUndefined();
  });
});
