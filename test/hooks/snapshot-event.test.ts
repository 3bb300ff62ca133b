import { describe, expect, it } from "vitest";
import { EVENT_BYTES_LIMIT } from "#src/hooks/limits";
import { snapshotEvent } from "#src/hooks/snapshot-event";
import { utf8Bytes } from "#src/hooks/utf8-bytes";

const EVENT = { event: "preGeneration", cwd: "/", prompt: "p" };

function refusal(event: unknown): unknown {
  try {
    return snapshotEvent(event);
  } catch (error) {
    return error;
  }
}

function cyclic(): object {
  const event: Record<string, unknown> = { ...EVENT };
  event.self = { event };
  return event;
}

function nested(levels: number): object {
  let value: object = {};
  for (let i = 0; i < levels; i++) value = [value];
  return { ...EVENT, value };
}

describe("a snapshot of an event", () => {
  it("is what JSON has of it, and shares nothing with it", () => {
    const event = { ...EVENT, extra: { list: [1] }, gone: undefined, when: new Date(0) };
    const snapshot = snapshotEvent(event);
    event.extra.list.push(2);
    expect(snapshot).toEqual({ ...EVENT, extra: { list: [1] }, when: "1970-01-01T00:00:00.000Z" });
  });

  it.each<[string, unknown]>([
    ["a cycle", cyclic()],
    ["a BigInt", { ...EVENT, n: 1n }],
    [
      "a toJSON that throws",
      {
        ...EVENT,
        toJSON: () => {
          throw new Error("no");
        },
      },
    ],
    ["a toJSON that gives nothing", { ...EVENT, toJSON: () => undefined }],
    [
      "a getter that throws",
      {
        ...EVENT,
        get x() {
          throw new Error("no");
        },
      },
    ],
    ["nothing", undefined],
    ["a function", () => EVENT],
  ])("is refused with a sentence for %s", (_what, event) => {
    expect(refusal(event)).toMatchObject({
      name: "WasmhookError",
      code: "bad-event",
      message: expect.stringContaining("the event cannot be written as JSON: give a plain object"),
    });
  });

  it("is checked as any event is", () => {
    expect(refusal([])).toMatchObject({ code: "event-not-object" });
    // Some engines write the deeper one as JSON, for others it is too deep.
    for (const levels of [600, 100_000]) {
      const deep = { code: "bad-event", message: expect.stringContaining("512") };
      expect(refusal(nested(levels))).toMatchObject(deep);
    }
  });

  it("has a tool's name of at most 1,024 characters, or is refused by that field", () => {
    const named = (length: number) => ({
      event: "preToolCall",
      cwd: "/",
      tool: { name: "n".repeat(length), input: {} },
    });
    expect(snapshotEvent(named(1024)).tool?.name).toHaveLength(1024);
    expect(refusal(named(1025))).toMatchObject({
      code: "bad-event",
      message: `the event's "tool.name" has more than 1024 characters: give a shorter name`,
      data: { field: "tool.name" },
    });
  });

  it("of one byte less than 16 MiB is taken, and of 16 MiB refused, counted as UTF-8", () => {
    const empty = Buffer.byteLength(JSON.stringify({ ...EVENT, prompt: "" }));
    const fill = (bytes: number) => `é${"x".repeat(bytes - empty - 2)}`;
    const last = fill(EVENT_BYTES_LIMIT - 1);
    expect(snapshotEvent({ ...EVENT, prompt: last }).prompt).toBe(last);
    expect(refusal({ ...EVENT, prompt: fill(EVENT_BYTES_LIMIT) })).toMatchObject({
      code: "event-too-large",
      data: { bytes: 16_777_216, limitBytes: 16_777_216 },
    });
  });
});

it.each(["", "a", "é", "中", "😀", "a😀é中\0", "\ud83d", "\ude00", "\ud83d\ud83d\ude00", "\ude00\ud83d"])(
  "the bytes of %j are counted as an encoder makes them",
  (text) => {
    expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
  },
);
