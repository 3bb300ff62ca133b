export { deniedUpdate, runUpdate } from "./acp/session-updates.js";
