/** The host module that the scripts import: https://github.com/WebAssembly/spec/tree/main/interpreter#spectest-host-module */
export function spectest(): Record<string, unknown> {
  const print = () => {};
  return {
    print,
    print_i32: print,
    print_i64: print,
    print_f32: print,
    print_f64: print,
    print_i32_f32: print,
    print_f64_f64: print,
    global_i32: 666,
    global_i64: 666n,
    global_f32: new WebAssembly.Global({ value: "f32" }, 666.6),
    global_f64: 666.6,
    table: new WebAssembly.Table({ initial: 10, maximum: 20, element: "anyfunc" }),
    memory: new WebAssembly.Memory({ initial: 1, maximum: 2 }),
  };
}
