import { afterAll, describe, expect, test } from "vitest";
import { Sandbox } from "#src/sandbox/sandbox";
import { configGuest, constGuest, echoGuest, errGuest, guest, logGuest } from "../support/guests.js";
import { HOST, loadGuest, NOTHING, outputOf, runGuest, runModule } from "./run-guest.js";

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

describe("what a guest is given and gives back", () => {
  test("a guest answers with what it is given", async () => {
    const run = await runGuest(sandbox, echoGuest, { event: '{"event":"preToolCall"}' });
    expect(run.result).toEqual({ ok: '{"event":"preToolCall"}' });
  });

  test("a guest's constant answer is its output", async () => {
    expect(outputOf(await runGuest(sandbox, constGuest('{"action":"deny"}')))).toBe('{"action":"deny"}');
  });

  const PAGE = 65_536;
  const texts: [name: string, text: string][] = [
    ["the empty text", ""],
    ["one byte", "x"],
    ["NUL", "a\0b"],
    ["two-byte and three-byte characters", "é߿ࠀ￿"],
    ["astral characters", "😀\u{10ffff}𝔘"],
    ["a byte order mark at the start", "\ufeff{}"],
    ["characters that JavaScript treats as line ends", "\u2028\u2029"],
    ["a lone surrogate as JSON escapes it", JSON.stringify("\ud800 and \udc00")],
    ["one byte under a page", "a".repeat(PAGE - 1)],
    ["a page", "a".repeat(PAGE)],
    ["one byte over a page", "a".repeat(PAGE + 1)],
    ["a character across a page's end", `${"a".repeat(PAGE - 1026)}😀`],
    ["a mebibyte of mixed text", "aé中😀".repeat((1024 * 1024) / 10)],
  ];
  test.each(texts)("%s comes back as it went in", async (_name, text) => {
    expect(outputOf(await runGuest(sandbox, echoGuest, { event: text }))).toBe(text);
  });

  test("a guest reads its config", async () => {
    const config = '{"paths":["é","😀"]}';
    expect(outputOf(await runGuest(sandbox, configGuest, { config }))).toBe(config);
  });

  test("a guest's log lines are kept with their level, and no output is no opinion", async () => {
    const run = await runGuest(sandbox, logGuest, { event: "grüß dich" });
    expect(run).toMatchObject({ result: { ok: "" }, logs: [{ level: "info", message: "grüß dich" }] });
  });

  test.each([...["debug", "info", "warn", "error"].entries()])("level %i is %s", async (index, level) => {
    const wat = guest({
      imports: `(import ${HOST} "log" (func $log (param i32 i32 i32)))`,
      handle: `(call $log (i32.const ${index}) (local.get $ptr) (local.get $len)) ${NOTHING}`,
    });
    expect((await runGuest(sandbox, wat, { event: "m" })).logs).toEqual([{ level, message: "m" }]);
  });

  test("the error case is a failure with the guest's own words", async () => {
    const run = await runGuest(sandbox, errGuest("the config has no paths: é"));
    expect(run.result).toMatchObject({
      failure: { code: "guest-error", data: { guestMessage: "the config has no paths: é" } },
    });
  });

  test("an error without words is still a guest's error", async () => {
    const run = await runGuest(sandbox, errGuest(""));
    expect(run.result).toMatchObject({ failure: { code: "guest-error", data: { guestMessage: "" } } });
  });
});

/** Counts its runs in a global and in its memory, and answers both counts. */
const countingGuest = guest({
  fields: "(global $runs (mut i32) (i32.const 0))",
  textBytes: 2,
  handle: `
    (global.set $runs (i32.add (global.get $runs) (i32.const 1)))
    (i32.store8 (i32.const 8) (i32.add (i32.load8_u (i32.const 8)) (i32.const 1)))
    (i32.store8 (i32.const 1024) (i32.add (global.get $runs) (i32.const 48)))
    (i32.store8 (i32.const 1025) (i32.add (i32.load8_u (i32.const 8)) (i32.const 48)))
    (call $answer (i32.const 0) (i32.const 1024) (i32.const 2))`,
});

describe("instances", () => {
  test("every event gets a fresh instance: neither globals nor memory carry over", async () => {
    const module = await loadGuest(sandbox, countingGuest);
    const outputs = [];
    for (let i = 0; i < 5; i++) outputs.push(outputOf(await runModule(sandbox, module)));
    expect(outputs).toEqual(["11", "11", "11", "11", "11"]);
  });

  test("the peak of memory is what the guest held at the end, its start included", async () => {
    const small = await runGuest(sandbox, echoGuest);
    const grown = await runGuest(sandbox, guest({ handle: `(drop (memory.grow (i32.const 3))) ${NOTHING}` }));
    expect([small.peakMemoryBytes, grown.peakMemoryBytes]).toEqual([65_536, 4 * 65_536]);
  });

  test("one module under two memory limits is capped by each", async () => {
    const wat = guest({ handle: `(drop (memory.grow (i32.const 3))) ${NOTHING}` });
    const roomy = await runGuest(sandbox, wat, { limits: { memoryBytes: 4 * 65_536 } });
    const tight = await runGuest(sandbox, wat, { limits: { memoryBytes: 3 * 65_536 } });
    expect([roomy.peakMemoryBytes, tight.peakMemoryBytes]).toEqual([4 * 65_536, 65_536]);
  });
});
