import { handlerText } from "../../support/handler.js";
import { component, Family, type Source } from "../hostile.js";

const escaped = (name: string) =>
  name.replace(/[^ !#-[\]-~]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);

/** Beside a good handler, a core module that another one links to under these names. */
function linked({ module = "m", field = "f", exported = "e" }): Source {
  const [m, f, e] = [module, field, exported].map(escaped);
  return component(`${handlerText()}
    (core module $first (func (export "${e}")))
    (core module $second (import "${m}" "${f}" (func)))
    (core instance $first (instantiate $first))
    (alias core export $first "${e}" (core func $e))
    (core instance $bag (export "${f}" (func $e)))
    (core instance (instantiate $second (with "${m}" (instance $bag))))`);
}

const CODE = "process.exit(99)";
const beside = (fields: string) => component(`${handlerText()} ${fields}`);

/** Names that would be code, or more than a name, in what the transpiler writes. */
export const names = new Family("names").refused("name-refused", {
  "code in the module of a core import": linked({ module: `m': {}, [(${CODE})]: {}, 'z` }),
  "code in the name of a core import": linked({ field: `f': 0, [(${CODE})]: 0, 'z` }),
  "code in the name of a core export": linked({ exported: `e'] || (${CODE}), exports0['z` }),
  "a backslash that takes the quote after it": linked({ field: "f\\", exported: `: (${CODE}), //` }),
  "a line break": linked({ module: `m': {},\n[(${CODE})]: {},\n'z` }),
  "a line separator": linked({ field: "f\u2028g" }),
  "a paragraph separator": linked({ field: "f\u2029g" }),
  "the end of a comment": linked({ exported: `e*/(${CODE})/*` }),
  "a placeholder of a template": linked({ exported: `e\${${CODE}}` }),
  "a backquote": linked({ module: "`" }),
  "a NUL": linked({ module: "m\0" }),
  "a right-to-left override": linked({ exported: "\u202eevil" }),
  "a letter that looks like another": linked({ exported: "hаndle" }),
  "__proto__ as the module of an import": linked({ module: "__proto__" }),
  "__proto__ as the name of an import": linked({ field: "__proto__" }),
  "__proto__ as the name of an export": linked({ exported: "__proto__" }),
  "constructor as the module of an import": linked({ module: "constructor" }),
  "hasOwnProperty as the name of an export": linked({ exported: "hasOwnProperty" }),
  "then, which makes a promise of an object": linked({ exported: "then" }),
  toJSON: linked({ field: "toJSON" }),
  "value-of, which is valueOf once it is JavaScript": linked({ field: "value-of" }),
  "a name of a hundred thousand letters": linked({ exported: "e".repeat(100_000) }),
  "a file elsewhere as an import": beside('(import "url=<https://example.com/a.wasm>" (func))'),
  "a file elsewhere as an import, in a nested component": beside(
    '(component (import "url=<https://example.com/a.wasm>" (func)))',
  ),
  "a digest as an import": beside(
    '(import "integrity=<sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=>" (func))',
  ),
  "a locked dependency as an import": beside('(import "locked-dep=<a:b@1.0.0>" (func))'),
  "a dependency that is not locked as an import": beside('(import "unlocked-dep=<a:b>" (func))'),
  "constructor as a field of a record": beside('(type (record (field "constructor" u8)))'),
});
