// What is written down of runs: no secrets, and nothing that changes what hooks decided.

export const mutations = [
  {
    promise: "Secrets are taken out before a text is cut, so that no part of one is left.",
    file: "src/observe/audit-line.ts",
    find: "cut(redact(value))",
    put: "redact(cut(value))",
    tests: ["test/observe/audit.test.ts"],
    only: "not even in part",
  },
  {
    promise: "Secrets are taken out of texts as they are, not as JSON writes them.",
    file: "src/observe/audit-line.ts",
    find: "JSON.stringify(redacted(event.tool.input, redact))",
    put: "redact(JSON.stringify(event.tool.input))",
    tests: ["test/observe/audit.test.ts"],
    only: "where a line starts with one",
  },
  {
    promise: "Only its user may read an audit file.",
    file: "src/observe/audit-file.ts",
    find: "await handle.chmod(MODE);",
    put: "",
    tests: ["test/observe/audit.test.ts"],
    only: "that others may read",
  },
  {
    promise: "What an observer throws changes nothing of what hooks decided.",
    file: "src/observe/observer.ts",
    find: "process.emitWarning(error instanceof Error ? error : String(error));",
    put: "throw error;",
    tests: ["test/e2e/observability.test.ts"],
    only: "changes nothing",
  },
];
