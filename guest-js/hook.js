import { config as configText, log as write } from "wasmhook:hook/host@1.0.0";

export function config() {
  return JSON.parse(configText());
}

export const log = {
  debug: (message) => write("debug", String(message)),
  info: (message) => write("info", String(message)),
  warn: (message) => write("warn", String(message)),
  error: (message) => write("error", String(message)),
};
