// Invariant 8: same bytes, event, config and limits give the same decision, logs and fuel on every engine.

const nan = "test/sandbox/meter/nan.test.ts";
const locals = "src/sandbox/meter/nan-locals.ts";
const tracker = "src/sandbox/meter/nan-tracker.ts";
const code = "src/sandbox/meter/nan-code.ts";

export const mutations = [
  {
    promise: "A NaN that arithmetic gives is canonical where its bits are seen.",
    file: "src/sandbox/meter/body-writer.ts",
    find: "writeCanonical(out, operand, this.nanTypes, this.nanLocal);",
    put: "",
    tests: [nan],
    only: "f64.add",
  },
  {
    promise: "The canonical NaN is that of the specification, with a clear sign.",
    file: code,
    find: "0x43, 0, 0, 0xc0, 0x7f",
    put: "0x43, 0, 0, 0xc0, 0xff",
    tests: [nan],
    only: "f32.add",
  },
  {
    promise: "Each lane of a vector is made canonical by itself.",
    file: code,
    find: "out.append(select);",
    put: "out.byte(0x1a); out.byte(0x1a); out.byte(0x1a); out.append(instructions());",
    tests: [nan],
    only: "in each lane of a vector by itself",
  },
  {
    promise: "A NaN that comes into a local whose bits are seen is canonical.",
    file: locals,
    find: "if (isClean[writes[i + 1] as number]) make",
    put: "if (false) make",
    tests: [nan],
    only: "a local whose bits are seen",
  },
  {
    promise: "A NaN that is copied from local to local is followed to where its bits are seen.",
    file: locals,
    find: "this.spread(isClean, TO, FROM, isReadSide);",
    put: "",
    tests: [nan],
    only: "a local that is copied",
  },
  {
    promise: "What takes a float for its bits sees a canonical NaN.",
    file: tracker,
    find: "const isSeen = this.shapes[this.count] !== taken;",
    put: "const isSeen = false;",
    tests: [nan],
    only: "an operation of another shape takes it",
  },
  {
    promise: "Conversions from float to float give a canonical NaN.",
    file: "src/sandbox/meter/float-shapes.ts",
    find: "shapeGiven[opcode] = own;\n  } else",
    put: "shapeGiven[opcode] = Shapes.none;\n  } else",
    tests: [nan],
    only: "promote",
  },
  {
    promise: "The bits of a NaN that the guest made itself are kept.",
    file: "src/sandbox/meter/float-shapes.ts",
    find: "const ARITHMETIC = /^(add|",
    put: "const ARITHMETIC = /^(neg|abs|pmin|add|",
    tests: [nan],
    only: "the guest made itself are kept",
  },
  {
    promise: "A guest's calls are nested as deep on every engine.",
    file: "src/sandbox/meter/fuel-code.ts",
    find: "this.out.byte(I64_OR);\n    this.check();",
    put: "this.out.byte(0x1a);\n    this.check();",
    tests: ["test/sandbox/meter/stack.test.ts"],
    only: "the smallest frames",
  },
  {
    promise: "A trap is told in the same words on every engine.",
    file: "src/sandbox/traps.ts",
    find: 'return KINDS.find(([, words]) => words.test(message))?.[0] ?? "trap";',
    put: "return message;",
    tests: ["test/sandbox/instance-faults.test.ts"],
    only: "integer divide by zero",
  },
  {
    promise: "Half of a surrogate pair goes in as U+FFFD in UTF-16, as it does in UTF-8.",
    file: "src/sandbox/link/guest-text.ts",
    find: "const whole = text.toWellFormed();",
    put: "const whole = text;",
    tests: ["test/sandbox/link/canonical-abi.test.ts"],
    only: "half of a surrogate pair becomes U+FFFD",
  },
  {
    promise: "A log line is cut between characters.",
    file: "src/sandbox/lifted-text.ts",
    find: "bytes.subarray(0, whole)",
    put: "bytes.subarray(0, Math.min(admitted, byteLength))",
    tests: ["test/sandbox/instance-limits.test.ts"],
    only: "a log line that is over the limit is cut between characters",
  },
];
