import { z } from "zod";
import type { AgentFile } from "./agent-file.js";
import type { Message, Model } from "./model.js";

const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
});

/** A model behind an OpenAI-compatible chat endpoint. */
export function chatModel({ url, name, keyFrom }: AgentFile["model"]): Model {
  const key = keyFrom === undefined ? undefined : process.env[keyFrom];
  return {
    async reply(messages, tools, signal) {
      const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({
          model: name,
          messages: messages.map(wire),
          ...(tools.length === 0
            ? {}
            : { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
        }),
        signal: signal ?? null,
      });
      if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
      const { choices } = Completion.parse(await response.json());
      const { content, tool_calls } = choices[0]?.message ?? {};
      const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => {
        return { id, name, input: z.record(z.string(), z.json()).parse(JSON.parse(text || "{}")) };
      });
      return { text: content ?? "", calls };
    },
  };
}

function wire(message: Message): object {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.text };
  if (message.role !== "assistant") return { role: message.role, content: message.text };
  const calls = message.calls.map(({ id, name, input }) => {
    return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
  });
  return {
    role: "assistant",
    content: message.text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
