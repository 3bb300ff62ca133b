import { type Span, type SpanOptions, type Tracer, trace } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { loadHooks } from "#src/index";
import { KINDS, mmAgent, says } from "../e2e/hooks.js";

interface Recorded {
  name: string;
  options: SpanOptions;
  status?: unknown;
  endTime?: unknown;
}

/** Has OpenTelemetry's API hand out spans that are kept here. */
function recordSpans(): Recorded[] {
  const spans: Recorded[] = [];
  const startSpan = (name: string, options: SpanOptions = {}): Span => {
    const recorded: Recorded = { name, options };
    spans.push(recorded);
    return {
      setStatus: (status: unknown) => Object.assign(recorded, { status }),
      end: (endTime: unknown) => Object.assign(recorded, { endTime }),
    } as unknown as Span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer });
  return spans;
}

afterEach(() => trace.disable());

test.each(KINDS)("a %s hook that ran is a span, with what it decided and how long it took", async (kind) => {
  const spans = recordSpans();
  await using hooks = await loadHooks(
    await mmAgent({ preToolCall: [await says(kind, { action: "allow" })] }),
  );
  const { runs } = await hooks.run({ event: "preToolCall", cwd: "/", tool: { name: "bash", input: {} } });
  expect(spans).toMatchObject([
    {
      name: "hook preToolCall[0]",
      options: {
        attributes: { "wasmhook.decided": "allow", "wasmhook.runner": kind, "wasmhook.tool": "bash" },
      },
    },
  ]);
  const [{ options, endTime, status } = { options: {} }] = spans as [Recorded];
  expect(Number(endTime) - Number(options.startTime)).toBeCloseTo(runs[0]?.durationMs ?? 0, 3);
  expect(status).toBeUndefined();
});

test("a hook that failed is a span with an error", async () => {
  const spans = recordSpans();
  await using hooks = await loadHooks(await mmAgent({ preToolCall: [{ command: "exit 3" }] }));
  await hooks.run({ event: "preToolCall", cwd: "/", tool: { name: "bash", input: {} } });
  expect(spans).toMatchObject([
    {
      options: { attributes: { "error.type": "command-failed" } },
      status: { code: 2, message: expect.any(String) },
    },
  ]);
});
