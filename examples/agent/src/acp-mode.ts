import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";
import { type AgentContext, agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { type GatedCall, type Hooks, type Question, type Run, subjectOf } from "wasmhook";
import { deniedUpdate, runUpdate } from "wasmhook/acp";
import type { AgentFile } from "./agent-file.js";
import type { Model, ModelCall } from "./model.js";
import { type Screen, Session } from "./session.js";

/** Serves an editor over stdin and stdout, until it goes. */
export async function acpMode(file: AgentFile, hooks: Hooks, model: Model): Promise<void> {
  const sessions = new Map<string, { session: Session; abort: AbortController }>();
  const app = agent({ name: "mm" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: {},
      agentInfo: { name: "mm", version: "0.0.0" },
    }))
    .onRequest(methods.agent.session.new, ({ params: { cwd }, client }) => {
      const sessionId = `acp-${sessions.size + 1}`;
      const screen = editorScreen(client, sessionId);
      const session = new Session({ agent: file, model, hooks, cwd, screen }, sessionId);
      sessions.set(sessionId, { session, abort: new AbortController() });
      return { sessionId };
    })
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
      const found = sessions.get(sessionId);
      if (found === undefined) throw new Error(`there is no session ${sessionId}`);
      const text = prompt.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
      const answer = await found.session.ask(text, found.abort.signal);
      await tellRuns(client, sessionId, answer.runs);
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: answer.response } },
      });
      return { stopReason: "end_turn" };
    })
    .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => {
      const found = sessions.get(sessionId);
      found?.abort.abort();
      if (found !== undefined) found.abort = new AbortController();
    });
  const stream = ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  );
  await app.connect(stream).closed;
}

async function tellRuns(client: AgentContext, sessionId: string, runs: readonly Run[]): Promise<void> {
  for (const run of runs) {
    const update = runUpdate(run, `hook-${randomUUID()}`);
    await client.notify(methods.client.session.update, { sessionId, update });
  }
}

function editorScreen(client: AgentContext, sessionId: string): Screen {
  return {
    async confirm({ call }: Question, { id }: ModelCall, signal) {
      const { outcome } = await client.request(
        methods.client.session.requestPermission,
        {
          sessionId,
          toolCall: { toolCallId: id, title: `${call.name}: ${subjectOf(call)}`, rawInput: call.input },
          options: [
            { optionId: "yes", name: "Proceed", kind: "allow_once" },
            { optionId: "no", name: "Do not", kind: "reject_once" },
          ],
        },
        signal === undefined ? {} : { cancellationSignal: signal },
      );
      return outcome.outcome === "selected" && outcome.optionId === "yes";
    },
    async showCall({ id }: ModelCall, { status, call, text, runs }: GatedCall) {
      const update =
        status === "denied"
          ? deniedUpdate(call, text, id)
          : ({
              sessionUpdate: "tool_call",
              toolCallId: id,
              title: `${call.name}: ${subjectOf(call)}`,
              status: status === "ran" ? "completed" : "failed",
              content: [{ type: "content", content: { type: "text", text } }],
              rawInput: call.input,
            } as const);
      await tellRuns(client, sessionId, runs);
      await client.notify(methods.client.session.update, { sessionId, update });
    },
  };
}
