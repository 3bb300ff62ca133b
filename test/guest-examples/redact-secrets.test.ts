import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#src/hooks/json";
import { builtExample, testEvents } from "./examples.js";

const KEY_ID = "AKIAIOSFODNN7EXAMPLE";
const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const GITHUB = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const PEM = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtL\n-----END EC PRIVATE KEY-----";

describe("the example redact-secrets", async () => {
  const example = builtExample("redact-secrets");
  await testEvents(example);

  /** What becomes of a prompt. */
  async function redacted(prompt: string, literals: string[] = []): Promise<string> {
    const answer = await example.run({ event: "preGeneration", cwd: "/", prompt }, { config: { literals } });
    if ("failure" in answer) throw answer.failure;
    return answer.decision.prompt ?? prompt;
  }

  async function inputOf(input: JsonObject): Promise<JsonObject | undefined> {
    const answer = await example.run({ event: "preToolCall", cwd: "/", tool: { name: "x", input } });
    if ("failure" in answer) throw answer.failure;
    return answer.decision.input;
  }

  it.each([
    [KEY_ID, "[redacted AWS access key id]"],
    [`"${KEY_ID.replace("AKIA", "ASIA")}"`, '"[redacted AWS access key id]"'],
    [`AWS_SECRET_ACCESS_KEY=${SECRET}`, "AWS_SECRET_ACCESS_KEY=[redacted AWS secret]"],
    [`{"SecretAccessKey": "${SECRET}"}`, '{"SecretAccessKey": "[redacted AWS secret]"}'],
    [`{\\"secretAccessKey\\":\\"${SECRET}\\"}`, '{\\"secretAccessKey\\":\\"[redacted AWS secret]\\"}'],
    [`aws_session_token: '${SECRET.repeat(5)}'`, "aws_session_token: '[redacted AWS secret]'"],
    [`https://x:${GITHUB}@github.com`, "https://x:[redacted GitHub token]@github.com"],
    [`gho_${"a1B2".repeat(9)}`, "[redacted GitHub token]"],
    [`github_pat_${"a1B2_".repeat(12)}`, "[redacted GitHub token]"],
    [`a${PEM}b`, "a[redacted private key]b"],
    [PEM.replaceAll("\n", "\\n"), "[redacted private key]"],
    [PEM.replaceAll("EC PRIVATE KEY", "PGP PRIVATE KEY BLOCK"), "[redacted private key]"],
    ["authorization: bEARER  abc.def-ghi_jkl~mno+/==", "authorization: bEARER  [redacted bearer token]"],
    [`${KEY_ID},${KEY_ID}`, "[redacted AWS access key id],[redacted AWS access key id]"],
  ])("redacts %j", async (prompt, expected) => {
    expect(await redacted(prompt)).toBe(expected);
  });

  it.each([
    "",
    "AKIA",
    `X${KEY_ID}`,
    `${KEY_ID}x`,
    KEY_ID.toLowerCase(),
    "aws_secret_access_key = short",
    `secret access key ${SECRET}`,
    "ghp_tooshort",
    `xghp_${"a".repeat(36)}`,
    "the bearer of good news",
    "Bearer short",
    PEM.replaceAll("PRIVATE", "PUBLIC"),
    "-----BEGIN CERTIFICATE-----",
    "-".repeat(100),
  ])("leaves %j as it is", async (prompt) => {
    expect(await redacted(prompt)).toBe(prompt);
  });

  it("redacts literals, the longest of two that begin alike", async () => {
    expect(await redacted("a hunter2 b hunter2-long c", ["hunter2", "hunter2-long"])).toBe(
      "a [redacted secret] b [redacted secret] c",
    );
    expect(await redacted("über-geheim\n", ["über-geheim"])).toBe("[redacted secret]\n");
  });

  it("refuses a literal that would be found in ordinary words", async () => {
    const answer = await example.run(
      { event: "preGeneration", cwd: "/", prompt: "" },
      { config: { literals: ["abc"] } },
    );
    expect(answer).toMatchObject({ failure: { code: "guest-error" } });
  });

  it("leaves no secret in any text, and nothing else out of it", async () => {
    const piece = fc.constantFrom(
      KEY_ID,
      GITHUB,
      PEM,
      "hunter2-and-more",
      "AKIA",
      "-----",
      "ghp_",
      "Bearer ",
      "é😀",
      "x",
      " ",
      "\n",
      '"',
    );
    for (const parts of fc.sample(fc.array(piece, { maxLength: 12 }), { numRuns: 300, seed: 1 })) {
      const prompt = parts.join(" ");
      const left = await redacted(prompt, ["hunter2-and-more"]);
      const kept = parts.filter((part) => !/^(AKIAI|ghp_1|-----BEGIN|hunter2)/.test(part));
      const words = (text: string) => text.replaceAll(/\[redacted [^\]]*\]/g, "").match(/\S+/g) ?? [];
      expect([prompt, words(left)]).toEqual([prompt, words(kept.join(" "))]);
    }
  });

  it("rewrites strings however deep, and no key and no other value", async () => {
    const input = { [GITHUB]: [[{ a: GITHUB }], 1.5, -0.25e-7, true, null, "", "é\ud800"], "": { "\n": {} } };
    const expected = JSON.parse(
      JSON.stringify(input).replace(`"a":"${GITHUB}"`, '"a":"[redacted GitHub token]"'),
    );
    expect(await inputOf(input)).toEqual(expected);
    expect(await inputOf({ [GITHUB]: "x" })).toBeUndefined();
  });

  it("has no opinion after a call, and after a turn", async () => {
    const tool = { name: "x", input: { a: GITHUB }, output: GITHUB };
    expect(await example.run({ event: "postToolCall", cwd: "/", tool })).toMatchObject({ decision: {} });
    const end = { event: "postGeneration", cwd: "/", prompt: GITHUB, response: GITHUB } as const;
    expect(await example.run(end)).toMatchObject({ decision: {} });
  });

  it("reads a prompt of a mebibyte within the default limits", async () => {
    const prose = "The quick brown fox jumps over the lazy dog. ".repeat(23_300);
    expect(await redacted(prose, ["hunter2-and-more"])).toBe(prose);
    expect((await redacted(`${prose}${GITHUB}`)).slice(prose.length)).toBe("[redacted GitHub token]");
  });
});
