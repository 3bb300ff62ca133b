// Runs the command that is given on stdin by Node's own WASI, with nothing but three streams, and prints what it has
// left in its memory: so many bytes, from an address on.
import { readFileSync, writeSync } from "node:fs";
import { WASI } from "node:wasi";

const [, , address, count] = process.argv;
// It gives an error for the list of no arguments.
const wasi = new WASI({ version: "preview1", args: ["name"], env: { NAME: "value" } });
const module = new WebAssembly.Module(readFileSync(0));
const instance = new WebAssembly.Instance(module, wasi.getImportObject());
wasi.start(instance);
writeSync(2, new Uint8Array(instance.exports.memory.buffer, Number(address), Number(count)));
