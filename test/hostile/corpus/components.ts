import { componentFromWat } from "../../support/components.js";
import { constGuest, guest } from "../../support/guests.js";
import { handlerText } from "../../support/handler.js";
import { componentOf, concat, repeat, section } from "../bytes.js";
import { component, Family, HANDLER, lifted, many, NOTHING, named } from "../hostile.js";

const SPIN = "(loop $spin (br $spin))";
const INNER = (wat: string) =>
  `(component $inner ${named("$m", wat)} (core instance $main (instantiate $m)) ${lifted("$main")})`;
const HANDED_ON = `(instance $i (instantiate $inner)) (alias export $i "${HANDLER}" (instance $h)) (export "${HANDLER}" (instance $h))`;
const handsOn = (wat: string) => component(`${INNER(wat)} ${HANDED_ON}`);
/** A good handler, and bytes after it. */
const then = (more: Uint8Array) => async () =>
  concat(await componentFromWat(`(component ${handlerText()})`), more);
/** A component in a component, and so on. */
const nested = (depth: number): Uint8Array =>
  depth === 0 ? componentOf() : componentOf(section(4, nested(depth - 1)));

/** A resource, and a hook's core module that is given its functions as \`new\`, \`drop\` and \`rep\`. */
const resource = (handle: string, dtor = "") =>
  component(`
  (core module $d (func (export "dtor") (param i32) ${dtor}))
  (core instance $d (instantiate $d))
  (type $r (resource (rep i32) (dtor (core func $d "dtor"))))
  (core func $new (canon resource.new $r)) (core func $drop (canon resource.drop $r)) (core func $rep (canon resource.rep $r))
  (core instance $r (export "new" (func $new)) (export "drop" (func $drop)) (export "rep" (func $rep)))
  ${named(
    "$m",
    guest({
      imports:
        '(import "r" "new" (func $new (param i32) (result i32))) (import "r" "drop" (func $drop (param i32))) (import "r" "rep" (func $rep (param i32) (result i32)))',
      handle: `${handle} ${NOTHING}`,
    }),
  )}
  (core instance $main (instantiate $m (with "r" (instance $r)))) ${lifted("$main")}`);

/** Components in components, instances of instances, and handles. */
export const components = new Family("components")
  .survives({
    "a hook within a component that hands it on": {
      guest: handsOn(constGuest('{"action":"deny","reason":"from within"}')),
      outcome: { decision: "deny", reason: "from within" },
    },
    "a hundred handles, which are gone with the event": resource(
      `${many(100, (i) => `(drop (call $new (i32.const ${i})))`)}`,
    ),
  })
  .fails("out-of-fuel", {
    "a loop that never ends in a nested component": handsOn(guest({ handle: `${SPIN} ${NOTHING}` })),
    "a resource that is made for ever": resource(
      "(loop $again (drop (call $new (i32.const 1))) (br $again))",
    ),
    "a destructor that never ends": resource("(call $drop (call $new (i32.const 1)))", SPIN),
    "a resource that is made and dropped for ever": resource(
      "(loop $again (call $drop (call $new (i32.const 1))) (br $again))",
    ),
  })
  .fails("trap", {
    "a destructor that traps": resource("(call $drop (call $new (i32.const 1)))", "unreachable"),
  })
  .fails("bad-output", {
    "a handle that was never given": resource("(drop (call $rep (i32.const 77)))"),
    "a handle that is used after it was dropped": resource(
      "(local $h i32) (call $drop (local.tee $h (call $new (i32.const 1)))) (drop (call $rep (local.get $h)))",
    ),
    "a handle that is dropped twice": resource(
      "(local $h i32) (call $drop (local.tee $h (call $new (i32.const 1)))) (call $drop (local.get $h))",
    ),
    "a handle of -1": resource("(call $drop (i32.const -1))"),
  })
  .refused("module-refused", {
    "components nested a hundred deep": {
      guest: then(section(4, nested(100))),
      because: "componentDepth",
    },
    "types of components nested a hundred deep": {
      guest: then(section(7, [1], repeat([0x41, 1, 1], 100), [0x41, 0])),
      because: "componentDepth",
    },
    "a thousand components": {
      guest: component(`${handlerText()} ${many(1_000, "(component)")}`),
      because: "components",
    },
    "components that instantiate each other ten times at each of eight levels": {
      guest: component(
        `(component $c0) ${many(6, (i) => `(component $c${i + 1} (alias outer 1 $c${i} (component $b)) ${many(10, "(instance (instantiate $b))")})`)}
        (instance (instantiate $c6)) ${handlerText()}`,
      ),
      because: "componentInstances",
    },
    "ten thousand instances of a component with ten thousand instances of modules": {
      guest: component(
        `(component $c (core module $m) ${many(9_000, "(core instance (instantiate $m))")})
        ${many(9_000, "(instance (instantiate $c))")} ${handlerText()}`,
      ),
      because: "nstances",
    },
    "ten thousand instances of a component with nine thousand modules": {
      guest: component(
        `(component $c ${many(9_000, (i) => `(core module $m${i}) (core instance (instantiate $m${i}))`)})
        ${many(9_000, "(instance (instantiate $c))")} ${handlerText()}`,
      ),
      because: "nstances",
    },
    "three thousand functions lifted": {
      guest: component(
        `${handlerText()} ${many(3_000, '(func (canon lift (core func $i "none")))')}`.replace(
          "(core module $m",
          '(core module $m (func (export "none"))',
        ),
      ),
      because: "canons",
    },
    "thirty thousand aliases": {
      guest: component(`${handlerText()} ${many(30_000, '(alias core export $i "memory" (core memory))')}`),
      because: "componentItems",
    },
    "an enumeration of thirty thousand labels": {
      guest: component(`${handlerText()} (type (enum ${many(30_000, (i) => `"l${i}"`)}))`),
      because: "componentItems",
    },
    "a record of itself": {
      guest: component(`${handlerText()} (type (record (field "a" 5000)))`),
      because: "no type 5000",
    },
    "a hundred core modules": {
      guest: component(`${handlerText()} ${many(100, "(core module)")}`),
      because: "coreModules",
    },
  });
