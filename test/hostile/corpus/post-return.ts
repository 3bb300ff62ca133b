import { constGuest, guest } from "../../support/guests.js";
import { Family, HANDLE, hook, LOG, NOTHING, type Source } from "../hostile.js";

const DENIAL = '{"action":"deny","reason":"said before post-return"}';

/** A hook that denies, and then does this when the host tells it that it has read the answer. */
function after(body: string, imports = ""): Source {
  const post = `(func (export "cabi_post_${HANDLE}") (param $answer i32) ${body})`;
  return hook(
    constGuest(DENIAL)
      .replace("(func $answer", `${post} (func $answer`)
      .replace("(module", `(module ${imports}`),
  );
}

/** A verdict does not count before the guest has ended well. */
export const postReturn = new Family("post-return")
  .fails("out-of-fuel", {
    "a verdict, and then a loop that never ends": after("(loop $spin (br $spin))"),
    "a verdict, and then fills for ever": after(
      "(loop $again (memory.fill (i32.const 0) (i32.const 0) (i32.const 65536)) (br $again))",
    ),
  })
  .fails("trap", {
    "a verdict, and then a trap": { guest: after("unreachable"), because: "unreachable" },
    "a verdict, and then a call to the host, which post-return may not make": {
      guest: after("(call $log (i32.const 0) (i32.const 0) (i32.const 0))", LOG),
      because: "cannot leave component instance",
    },
  })
  .fails("stack-exhausted", {
    "a verdict, and then a recursion": hook(
      guest({
        fields: `(func $deeper (call $deeper) (nop)) (func (export "cabi_post_${HANDLE}") (param i32) (call $deeper))`,
        handle: NOTHING,
      }),
    ),
  })
  .survives({
    "a verdict, and then another one written over it": {
      guest: after("(memory.fill (i32.const 1024) (i32.const 32) (i32.const 40))"),
      outcome: { decision: "deny", reason: "said before post-return" },
    },
    "a verdict, and then all the memory that there is": {
      guest: after("(drop (memory.grow (i32.const 1023)))"),
      outcome: { decision: "deny" },
    },
  });
