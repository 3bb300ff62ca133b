import { WasmhookError } from "../errors.js";
import type { Notice } from "../hooks/outcome.js";
import { AuditFile } from "./audit-file.js";
import { auditLine } from "./audit-line.js";
import type { Observer } from "./observer.js";
import { redactor } from "./redaction.js";

export interface AuditOptions {
  /** One JSON document a line, one line for each hook that ran. Only its user may read it. */
  file: string;
  /** The file's size, over which it becomes `FILE.1`; 10 MiB where it is not given. */
  limitBytes?: number;
  /** What is replaced by `[redacted]` in arguments, reasons, errors and labels. */
  redact?: readonly RegExp[];
}

const DEFAULT_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Writes a line for each run. A file that cannot be written is told once, as a notice: it holds up nothing.
 * @throws WasmhookError `usage`
 */
export function auditor(options: string | AuditOptions, onNotice: (notice: Notice) => void): Observer {
  const {
    file,
    limitBytes = DEFAULT_LIMIT_BYTES,
    redact = [],
  }: AuditOptions = typeof options === "string" ? { file: options } : options;
  if (!Number.isSafeInteger(limitBytes) || limitBytes < 1) {
    throw new WasmhookError(
      "usage",
      '"audit.limitBytes" is no whole number of bytes: give such as 10485760',
      {},
    );
  }
  const written = new AuditFile(file, limitBytes, (cause) => {
    onNotice({
      hook: "",
      kind: "warning",
      text: `the audit file cannot be written (${cause}): make room for ${file}`,
    });
  });
  const hide = redactor(redact);
  return {
    run: (run, event, reason) => written.append(auditLine(run, event, reason, hide, new Date())),
    close: () => written.close(),
  };
}
