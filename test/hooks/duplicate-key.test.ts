import { describe, expect, it } from "vitest";
import { duplicateKey } from "#src/hooks/duplicate-key";

describe("a key that an object has twice", () => {
  it.each([
    ['{"a":1,"a":1}', "a"],
    ['{"a":{"b":[1]},"c":"}","a":[]}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"a\\"":1,"b":"a","a\\"":2}', 'a"'],
    ['{"":1,"":2}', ""],
    [' { "a" : [ "," , {"x":"]"} ] , "b" : "\\\\" , "b" : 2 }', "b"],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ])("is found in %s", (text, key) => {
    expect(JSON.parse(text)).toBeTypeOf("object");
    expect(duplicateKey(text)).toBe(key);
  });

  it.each([
    "{}",
    '{"a":"a","b":"a"}',
    '{"a":{"a":1,"a":2}}',
    '{"a":["a","a",{"a":1,"a":2}],"b":{"b":1}}',
    '{"a":"\\",\\"a\\":1"}',
    '{"a":1,"A":2}',
  ])("is not found in %s", (text) => {
    expect(JSON.parse(text)).toBeTypeOf("object");
    expect(duplicateKey(text)).toBeUndefined();
  });
});
