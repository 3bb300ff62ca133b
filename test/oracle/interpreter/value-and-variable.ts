import type { Instruction } from "./decode.js";
import type { Call, Interpreter } from "./machine.js";
import { isMemoryAccess, load, store } from "./memory-access.js";
import { numeric } from "./numeric.js";
import type { Func, Global, Memory } from "./store.js";
import type { Value } from "./values.js";

/**
 * Numeric instructions, memory accesses, and what moves values between the stack and variables. False where
 * the instruction is another.
 */
export function valueOrVariable(machine: Interpreter, call: Call, instruction: Instruction): boolean {
  const { name, first, second } = instruction;
  const { stack } = machine;
  const { instance } = call;
  const work = numeric.get(name);
  if (work) {
    const operands = machine.popMany(work.length);
    stack.push(work(...(operands as never[])));
    return true;
  }
  if (isMemoryAccess(name)) {
    const memory = instance.memories[first] as Memory;
    if (name.includes("load")) {
      stack.push(load(name, memory, machine.pop(), second));
    } else {
      const value = machine.pop();
      store(name, memory, machine.pop(), value, second);
    }
    return true;
  }
  switch (name) {
    case "nop":
      return true;
    case "drop":
      stack.pop();
      return true;
    case "select":
    case "select_t": {
      const isFirst = machine.pop() !== 0;
      const [one, other] = machine.popMany(2);
      stack.push((isFirst ? one : other) as Value);
      return true;
    }
    case "local.get":
      stack.push(call.locals[first] as Value);
      return true;
    case "local.set":
      call.locals[first] = machine.pop();
      return true;
    case "local.tee":
      call.locals[first] = stack.at(-1) as Value;
      return true;
    case "global.get":
      stack.push(instance.globals[first]?.value as Value);
      return true;
    case "global.set":
      (instance.globals[first] as Global).value = machine.pop();
      return true;
    case "i32.const":
    case "i64.const":
    case "f32.const":
    case "f64.const":
      stack.push(instruction.value);
      return true;
    case "ref.null":
      stack.push(null);
      return true;
    case "ref.is_null":
      stack.push(Number(machine.pop() === null));
      return true;
    case "ref.func":
      stack.push(instance.functions[first] as Func);
      return true;
    default:
      return false;
  }
}
