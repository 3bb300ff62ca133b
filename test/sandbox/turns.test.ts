import { describe, expect, test } from "vitest";
import { Turns } from "#src/sandbox/turns";

describe("turns", () => {
  test("are as many as there are, and then each that is given back is the next one's", () => {
    const turns = new Turns(2);
    const admitted: string[] = [];
    for (const name of ["a", "b", "c", "d"]) turns.take(() => admitted.push(name));
    expect(admitted).toEqual(["a", "b"]);
    turns.give();
    expect(admitted).toEqual(["a", "b", "c"]);
    turns.give();
    turns.give();
    turns.take(() => admitted.push("e"));
    expect(admitted).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("are not for who has left the queue", () => {
    const turns = new Turns(1);
    const admitted: string[] = [];
    turns.take(() => admitted.push("a"));
    const leave = turns.take(() => admitted.push("b"));
    turns.take(() => admitted.push("c"));
    leave();
    turns.give();
    expect(admitted).toEqual(["a", "c"]);
  });
});
