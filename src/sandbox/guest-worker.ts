import { createContext, Script } from "node:vm";
import { parentPort } from "node:worker_threads";
import type { CoreModule } from "./core-instance.js";
import type { Glue } from "./glue.js";
import type { GuestCall, GuestReply, PreparedGuest, TranspiledComponent } from "./guest-messages.js";
import { type Guest, runGuest } from "./instance.js";
import { toPortable } from "./portable-error.js";
import { dropAuthority, freezeIntrinsics } from "./realm.js";
import type { TranspiledGuest } from "./transpiled.js";

// The one place where guests run, and where generated glue is evaluated, in a realm for each component.

const port = parentPort;
const guests = new Map<string, Guest>();

/** Evaluates glue where there is nothing but the language, and no more code can be made from text. */
function evaluate({ glue, cores }: TranspiledComponent): TranspiledGuest {
  const realm = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  freezeIntrinsics(realm);
  return {
    glue: new Script(glue, { filename: "glue.js" }).runInContext(realm) as Glue<CoreModule>,
    cores: new Map(cores.map((core) => [core.name, core])),
  };
}

function load(sent: PreparedGuest): Guest {
  return "plan" in sent ? sent : evaluate(sent);
}

function answer({ id, guest: sent, ...request }: GuestCall): GuestReply {
  const guest = guests.get(id) ?? (sent === undefined ? undefined : load(sent));
  if (guest === undefined) throw new Error(`the guest ${id} was never sent`);
  guests.set(id, guest);
  const report = runGuest(guest, request);
  const { result } = report;
  return { ...report, result: "failure" in result ? { failure: toPortable(result.failure) } : result };
}

if (port !== null) {
  dropAuthority();
  port.on("message", (call: GuestCall) => port.postMessage(answer(call)));
  port.postMessage("ready");
}
