import { closed } from "../cut-short.js";
import type { Dialect } from "../dialects/dialect.js";
import { closeSparePipes } from "./command/pipes.js";
import { type RunningCommand, startCommand } from "./command/run.js";
import type { Runner } from "./runner.js";

/**
 * Runs command hooks in the event's working directory, with the dialect's shell, stdin and variables.
 * A program that uses it must turn SIGINT, SIGTERM and SIGHUP into `process.exit`, or its commands outlive it.
 * @param configDirectory absolute path of the directory of the config file.
 */
export function commandRunner(dialect: Dialect, configDirectory: string): Runner {
  const running = new Set<RunningCommand>();
  let isClosed = false;

  return {
    async run({ id, runner }, event, signal) {
      if (runner.kind !== "command") throw new TypeError(`the hook ${id} is not a command`);
      if (isClosed) return { durationMs: 0, failure: closed() };
      const command = startCommand({
        shell: dialect.shell,
        command: runner.command,
        cwd: event.cwd,
        env: dialect.commandEnv(event, configDirectory),
        stdin: dialect.encodeStdin(event),
        timeoutMs: runner.timeoutMs,
        signal,
      });
      running.add(command);
      void command.ended.then(() => running.delete(command));
      const { durationMs, ...end } = await command.result;
      return { durationMs, ...("failure" in end ? end : dialect.readCommand(end, event)) };
    },

    async close() {
      isClosed = true;
      for (const command of running) command.abort();
      await Promise.all([...running].map((command) => command.ended));
      closeSparePipes();
    },
  };
}
