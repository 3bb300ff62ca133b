import { echoGuest, guest } from "../../support/guests.js";
import { HANDLE_TYPE, handlerText } from "../../support/handler.js";
import { component, Family, HANDLER, HOST_NAME, hook, lifted, many, NOTHING, named } from "../hostile.js";

const beside = (fields: string) => component(`${fields} ${handlerText()}`);
/** A host of which these are the items. */
const host = (items: string) => beside(`(import "${HOST_NAME}" (instance ${items}))`);
const handler = (type: string, core?: string) =>
  component(handlerText(core === undefined ? { type } : { type, core }));

/** Components that ask for more than a hook gets, or give other than it promises. */
export const contract = new Family("contract")
  .refused("import-refused", {
    "the file system": beside('(import "wasi:filesystem/preopens@0.2.0" (instance))'),
    "the environment": beside('(import "wasi:cli/environment@0.2.0" (instance))'),
    "the network": beside('(import "wasi:sockets/tcp@0.2.0" (instance))'),
    HTTP: beside('(import "wasi:http/outgoing-handler@0.2.0" (instance))'),
    "an exit of the whole process": beside(
      '(import "wasi:cli/exit@0.2.0" (instance (export "exit" (func (param "status" u8)))))',
    ),
    "an import without a package": beside('(import "exec" (func (param "command" string)))'),
    "an import that looks like the host's": beside('(import "wasmhook:hook/hosts@1.0.0" (instance))'),
    "a function that the host has not": host('(export "exec" (func (param "command" string)))'),
    "a log that takes a list of texts": host(
      '(export "log" (func (param "level" u8) (param "message" (list string))))',
    ),
    "a config that gives a list of texts, which is large when it is lifted": host(
      '(export "config" (func (result (list string))))',
    ),
    "a config that takes a parameter": host('(export "config" (func (param "of" string) (result string)))'),
    "a level with a fifth case": host(
      '(type (enum "debug" "info" "warn" "error" "panic")) (export "level" (type (eq 0)))',
    ),
    "a level in another order": host(
      '(type (enum "error" "warn" "info" "debug")) (export "level" (type (eq 0)))',
    ),
    "a resource in place of the level": host('(export "level" (type (sub resource)))'),
    "the host as a function": beside(`(import "${HOST_NAME}" (func))`),
    "its own handler as an import": beside(`(import "${HANDLER}" (instance))`),
    "a type that would fill the memory if it were written out": beside(
      `(type $t0 (tuple string string)) ${many(60, (i) => `(type $t${i + 1} (tuple $t${i} $t${i}))`)}
      (import "${HOST_NAME}" (instance (alias outer 1 $t60 (type $t)) (export "config" (func (result $t)))))`,
    ),
  })
  .refused("not-a-hook", {
    "a component that exports nothing": component(""),
    "a handler that gives a list of texts, all of them the same megabyte": handler(
      '(param "event" string) (result (list string))',
    ),
    "a handler whose error is a list of texts": handler(
      '(param "event" string) (result (result string (error (list string))))',
    ),
    "a handler that takes a list of texts": handler(
      HANDLE_TYPE.replace('"event" string', '"event" (list string)'),
    ),
    "a handler that takes bytes": handler(HANDLE_TYPE.replace('"event" string', '"event" (list u8)')),
    "a handler that gives nothing": handler('(param "event" string)', "(param i32 i32)"),
    "a handler that is a function of the component itself": component(
      handlerText().replace(/\(instance \$h [\s\S]*$/, '(export "handle" (func $f))'),
    ),
    "a handler without a function": component(`(instance $h) (export "${HANDLER}" (instance $h))`),
    "the host exported again as the handler": component(
      `(import "${HOST_NAME}" (instance $h (export "config" (func (result string))))) (export "${HANDLER}" (instance $h))`,
    ),
    "a second handler beside the first": component(
      `${handlerText()} (export "wasmhook:hook/handler2@1.0.0" (instance $h))`.replace(
        "wasmhook:hook/handler2",
        "other:hook/handler",
      ),
    ),
    "a function beside the handler": component(`${handlerText()} (export "more" (func $f))`),
    "the handler's own core module declared with another type": component(
      handlerText().replace(
        "(instance $h))",
        '(instance $h) (instance (export "handle" (func (param "event" string) (result (list string))))))',
      ),
    ),
  })
  .refused("version-refused", {
    "a handler of a version that is not spoken yet": component(
      handlerText({ name: "wasmhook:hook/handler@2.0.0" }),
    ),
    "handlers of two versions": component(
      `${handlerText()} (export "wasmhook:hook/handler@1.0.1" (instance $h))`,
    ),
    "a handler without a version": component(handlerText({ name: "wasmhook:hook/handler" })),
    "a host of another version": beside('(import "wasmhook:hook/host@0.9.0" (instance))'),
  })
  .refused("module-refused", {
    "the same handler twice": {
      guest: component(`${handlerText()} (export "${HANDLER}" (instance $h))`),
      because: "twice",
    },
    "the same import twice": {
      guest: beside(`(import "${HOST_NAME}" (instance)) (import "${HOST_NAME}" (instance))`),
      because: "twice",
    },
  })
  .survives({
    "a host that is imported and never asked": component(
      `(import "${HOST_NAME}" (instance)) ${named("$m", guest({ handle: NOTHING }))} (core instance $main (instantiate $m)) ${lifted("$main")}`,
    ),
    "a hook that asks for nothing": hook(
      echoGuest.replace("(local.get $ptr) (local.get $len))))", "(i32.const 0) (i32.const 0))))"),
    ),
  });
