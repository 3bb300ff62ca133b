// Invariant 1: names. Whatever may end up in generated code is plain, and means nothing there.

const names = "test/sandbox/inspect/names.test.ts";
const checked = "src/sandbox/inspect/check-module.ts";
const rules = "src/sandbox/inspect/names.ts";

/** The set of characters with one more of them. */
function admitting(characters) {
  return {
    promise: `A name with ${JSON.stringify(characters)} is refused.`,
    file: rules,
    find: "const PLAIN = /^[",
    put: `const PLAIN = /^[${characters}`,
    tests: [names],
    only: "names that could end up as code are refused",
  };
}

export const mutations = [
  ...["'", '"', "`", "\\\\", "\\n", "\\u2028", "*", "()"].map(admitting),
  {
    promise: "The module of a core import has a plain name.",
    file: checked,
    find: "checkName(module, `the module of a core import at byte ${range.start}`, limits.nameBytes);",
    put: "",
    tests: [names],
    only: "the module of a core import",
  },
  {
    promise: "A core import has a plain name.",
    file: checked,
    find: "checkName(name, `a core import at byte ${range.start}`, limits.nameBytes);",
    put: "",
    tests: [names],
    only: "the name of a core import",
  },
  {
    promise: "A core export has a plain name.",
    file: checked,
    find: "checkName(name, `a core export at byte ${range.start}`, limits.nameBytes);",
    put: "",
    tests: [names],
    only: "a core export",
  },
  {
    promise: "Every name of the component layer is plain.",
    file: "src/sandbox/inspect.ts",
    find: "of names) checkName(",
    put: "of []) checkName(",
    tests: [names],
    only: "a name is refused wherever it stands",
  },
  {
    promise: "An import that asks for a dependency from elsewhere is refused as such.",
    file: rules,
    find: "if (DEPENDENCY.test(name))",
    put: "if (false)",
    tests: [names],
    only: "url=",
  },
  {
    promise: "A name has an end.",
    file: rules,
    find: "if (name.length > limitBytes)",
    put: "if (false)",
    tests: [names],
    only: "a name over the limit",
  },
  {
    promise: "A name that every object has is refused.",
    file: rules,
    find: "if (OBJECT_MEMBERS.has(camelCase(name)))",
    put: "if (false)",
    tests: [names],
    only: "names that mean something on every object are refused",
  },
  {
    promise: "A name that the transpiler turns into one that every object has is refused.",
    file: rules,
    find: "OBJECT_MEMBERS.has(camelCase(name))",
    put: "OBJECT_MEMBERS.has(name)",
    tests: [names],
    only: "names that mean something on every object are refused",
  },
  {
    promise: "A name of a member that a promise or a JSON encoder looks for is refused.",
    file: rules,
    find: '  "then",',
    put: "",
    tests: [names],
    only: "then",
  },
  {
    promise: "A guest names nothing in the meter's namespace.",
    file: rules,
    find: "if (name.startsWith(METER_NAMESPACE))",
    put: "if (false)",
    tests: [names],
    only: "names under which fuel is written",
  },
  {
    promise: "A core name that would run as code never gets as far as the transpiler.",
    edits: [
      { file: checked, find: "checkNames(module, budget);", put: "" },
      { file: "src/sandbox/inspect.ts", find: "of names) checkName(", put: "of []) checkName(" },
    ],
    tests: ["test/sandbox/inspect/injection.test.ts"],
    only: "a quote in the module of an import",
  },
  {
    promise: "A hostile name is shown escaped by wasmhook inspect.",
    file: "src/sandbox/inspect/escaped.ts",
    find: "? name : escaped(name)",
    put: "? name : name",
    tests: ["test/cli/inspect.test.ts"],
    only: "hostile name",
  },
  {
    promise: "A hostile name is escaped in the JSON of wasmhook inspect.",
    file: "src/cli/inspect.ts",
    find: "printableJson({",
    put: "JSON.stringify({",
    tests: ["test/cli/inspect.test.ts"],
    only: "hostile name",
  },
];
