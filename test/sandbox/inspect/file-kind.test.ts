import { describe, expect, test } from "vitest";
import { refusalOf } from "../../support/refusals.js";

const bytes = (...values: number[]) => Uint8Array.from([...values, ...new Array<number>(16).fill(0)]);
const utf8 = (text: string) => new TextEncoder().encode(text);

describe("a file of another kind is refused with what it is and what to do", () => {
  test.each([
    ["gzip", bytes(0x1f, 0x8b, 0x08), "compressed with gzip"],
    ["zstd", bytes(0x28, 0xb5, 0x2f, 0xfd), "compressed with zstd"],
    ["bzip2", utf8("BZh91AY"), "compressed with bzip2"],
    ["xz", bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00), "compressed with xz"],
    ["zip", bytes(0x50, 0x4b, 0x03, 0x04), "zip archive"],
    ["a native program", bytes(0x7f, 0x45, 0x4c, 0x46), "native program"],
    [
      "text of a component",
      utf8("\n;; a comment\n(; another ;) (component\n  (core module))"),
      "wasm-tools parse",
    ],
    ["text of a module", utf8("(module)"), "wasm-tools parse"],
    ["a web page", utf8("<!DOCTYPE html>\n<html>"), "web page"],
    ["a Git LFS pointer", utf8("version https://git-lfs.github.com/spec/v1\noid sha256:00"), "git lfs pull"],
    ["WIT", utf8("package my:hook@1.0.0;\nworld w {}"), "WIT"],
    ["a script", utf8("#!/bin/sh\nexit 0"), "command:"],
    [
      "source code",
      utf8("export function handle(event: string): string {\n\treturn event;\n}"),
      "wasmhook build",
    ],
    ["source code that is not ASCII", utf8(`// ${"é".repeat(5000)}`), "wasmhook build"],
    ["other bytes", bytes(0x89, 0x50, 0x4e, 0x47), "begins with other bytes"],
    ["text in UTF-16", bytes(0x28, 0x00, 0x6d, 0x00), "begins with other bytes"],
  ])("%s", (_kind, file, says) => {
    const error = refusalOf(file);
    expect(error).toMatchObject({ code: "module-refused", data: { offset: 0 } });
    expect(error.message).toContain(says);
  });
});

test("an empty file is refused as such", () => {
  expect(refusalOf(new Uint8Array())).toMatchObject({ code: "wasm-truncated", data: { offset: 0 } });
  expect(refusalOf(new Uint8Array()).message).toContain("empty");
});

test.each([1, 3, 4, 7])("the first %i bytes of a component are refused as truncated", (length) => {
  const preamble = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00);
  expect(refusalOf(preamble.slice(0, length))).toMatchObject({
    code: "wasm-truncated",
    data: { offset: length },
  });
});

test("a version of WebAssembly that is not known is refused at the version", () => {
  const error = refusalOf(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x0c, 0x00, 0x01, 0x00));
  expect(error).toMatchObject({ code: "module-refused", data: { offset: 4 } });
});
