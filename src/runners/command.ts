import type { Dialect } from "../dialects/dialect.js";
import { WasmhookError } from "../errors.js";
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
  let closed = false;

  return {
    async run({ id, runner }, event, signal) {
      if (runner.kind !== "command") throw new TypeError(`the hook ${id} is not a command`);
      if (closed) return { durationMs: 0, failure: runnerClosed() };
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
      closed = true;
      for (const command of running) command.abort();
      await Promise.all([...running].map((command) => command.ended));
      closeSparePipes();
    },
  };
}

function runnerClosed(): WasmhookError {
  return new WasmhookError("closed", "the runner of this hook is closed: load the hooks again", {});
}
