/**
 * The part of the WebAssembly JavaScript interface that this package and its tests use, since the types
 * of Node have none of it and those of a browser would bring a whole DOM.
 * Source: https://www.w3.org/TR/wasm-js-api-2/
 */
declare namespace WebAssembly {
  class Module {
    private readonly brand;
    constructor(bytes: Uint8Array | ArrayBuffer);
    static exports(module: Module): { name: string; kind: string }[];
    static imports(module: Module): { module: string; name: string; kind: string }[];
    static customSections(module: Module, name: string): ArrayBuffer[];
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }
  class Global<T extends number | bigint = number | bigint> {
    constructor(descriptor: { value: "i32" | "i64" | "f32" | "f64"; mutable?: boolean }, value?: T);
    value: T;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Table {
    constructor(descriptor: { element: "anyfunc" | "externref"; initial: number; maximum?: number });
    readonly length: number;
    grow(elements: number): number;
    get(index: number): unknown;
    set(index: number, value: unknown): void;
  }
  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}

  type Imports = Record<string, Record<string, unknown>>;
  type Exports = Record<string, unknown>;
  function compile(bytes: Uint8Array | ArrayBuffer): Promise<Module>;
  function validate(bytes: Uint8Array | ArrayBuffer): boolean;
}
