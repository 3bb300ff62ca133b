import type { Observer } from "./observer.js";

/**
 * A span for each run, below whatever span is the caller's, where the application has OpenTelemetry's API package;
 * undefined where it has not.
 */
export async function openTelemetry(): Promise<Observer | undefined> {
  const api = await import("@opentelemetry/api").catch(() => undefined);
  if (api === undefined) return undefined;
  const tracer = api.trace.getTracer("wasmhook");
  return {
    run({ hook, label, event, runner, decided, durationMs, fuel, peakMemoryBytes, error }, { tool }) {
      const endTime = Date.now();
      const span = tracer.startSpan(`hook ${hook}`, {
        startTime: endTime - durationMs,
        attributes: {
          "wasmhook.hook": hook,
          "wasmhook.label": label,
          "wasmhook.event": event,
          "wasmhook.runner": runner,
          "wasmhook.decided": decided,
          ...(tool === undefined ? {} : { "wasmhook.tool": tool.name }),
          ...(fuel === undefined ? {} : { "wasmhook.fuel": fuel }),
          ...(peakMemoryBytes === undefined ? {} : { "wasmhook.peak_memory_bytes": peakMemoryBytes }),
          ...(error === undefined ? {} : { "error.type": error.code }),
        },
      });
      if (error !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR, message: error.message });
      span.end(endTime);
    },
  };
}
