import type { HookEvent } from "../hooks/event.js";
import type { Notice, Run } from "../hooks/outcome.js";

/** Is told of a run as soon as it has ended, with the event as the hook saw it. */
export interface Observer {
  run?(run: Run, event: HookEvent, reason: string | undefined): void;
  notice?(notice: Notice): void;
  /** Resolves when all that was told is where it belongs. */
  close?(): Promise<void>;
}

/** Tells several. What one throws is a warning of the process: it must not change what hooks decided. */
export function observers(all: readonly Observer[]): Required<Observer> {
  const tell = (act: (observer: Observer) => void) => {
    for (const observer of all) {
      try {
        act(observer);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  };
  return {
    run: (run, event, reason) => tell((observer) => observer.run?.(run, event, reason)),
    notice: (notice) => tell((observer) => observer.notice?.(notice)),
    close: async () => void (await Promise.all(all.map((observer) => observer.close?.()))),
  };
}
