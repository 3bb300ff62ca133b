import type { Hook, OnError } from "#src/hooks/hook";
import { anyTool } from "#src/hooks/matcher";
import { ALL_GRANTS, type Grant } from "#src/hooks/may";

/** A hook declaration for tests of what stands above the runners. */
export function commandHook(
  id: string,
  over: Partial<Hook> & { may?: ReadonlySet<Grant>; onError?: OnError } = {},
): Hook {
  return {
    id,
    moment: "preToolCall",
    matcher: anyTool(),
    runner: { kind: "command", command: `run ${id}`, timeoutMs: 1000 },
    onError: "warn",
    may: ALL_GRANTS,
    ...over,
  };
}
