import { Chains } from "./chains.js";
import { inMnemoai } from "./mnemoai-spelling.js";
import { parityTests } from "./parity.js";
import { expectedInMnemoai } from "./said.js";

parityTests({
  chains: new Chains("mnemoai"),
  records: {
    preToolCall: { deny: 25, allow: 18, context: 2, notice: 3, failure: 5, none: 60 },
    "postToolCall-success": { context: 20, notice: 5, none: 60 },
    "postToolCall-failure": { context: 50, notice: 7, none: 60 },
  },
  spelled: inMnemoai,
  expected: expectedInMnemoai,
  sample: ["sudo, and more than 20,000 characters", "64 KiB of box drawing", "everything at once"],
});
