import { Reader, type Writer } from "../binary/bytes.js";
import type { CoreModule, FunctionBody } from "../binary/core-module.js";
import { type ValueType, ValueTypes } from "../binary/core-types.js";
import type { AddedTypes } from "./added-types.js";
import { NO_TYPE } from "./assembler.js";
import type { Conventions } from "./conventions.js";
import { Events } from "./events.js";
import { FuelCode } from "./fuel-code.js";
import type { HelperFunctions, MeterIndices } from "./helper-functions.js";
import { writeLocals } from "./locals-writer.js";
import type { FunctionPlan, ModulePlan } from "./module-plan.js";
import { nanLocals, writeCanonical } from "./nan-code.js";
import type { StackAccounts } from "./stack-accounts.js";

const BLOCK = 0x02;
const END = 0x0b;
const RETURN = 0x0f;
const CALL = 0x10;
const CALL_INDIRECT = 0x11;
const RETURN_CALL = 0x12;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const GLOBAL_GET = 0x23;
const GLOBAL_SET = 0x24;
const REF_FUNC = 0xd2;

/** What a module is metered by. */
export interface MeterContext {
  readonly module: CoreModule;
  readonly globals: MeterIndices;
  readonly helpers: HelperFunctions;
  readonly types: AddedTypes;
  /** Index of one of the guest's globals in the metered module. */
  readonly shiftGlobal: (index: number) => number;
}

/** Writes function bodies as they were planned. */
export class BodyWriter {
  private readonly context: MeterContext;
  private readonly plan: ModulePlan;
  private readonly conventions: Conventions;
  private readonly accounts: StackAccounts;
  private readonly fuel: FuelCode;
  /** of the function at hand */
  private isPassing = false;
  private stackWeight = 0;
  private stackLocal = 0;
  /** what is still to pay for the first charge */
  private entryUnits = 0;
  private elementLocal = 0;
  private nanTypes: readonly ValueType[] = [];
  private nanLocal = 0;
  private movedIndex = 0;
  /** the next patch, and its offset */
  private patch = 0;
  private nextPatch = 0;

  constructor(context: MeterContext, plan: ModulePlan, conventions: Conventions, accounts: StackAccounts) {
    this.context = context;
    this.plan = plan;
    this.conventions = conventions;
    this.accounts = accounts;
    this.fuel = new FuelCode(context.globals.fuel);
    this.nextPatch = plan.patches.offset(0);
  }

  /** Writes the body of the function `index`, without its size. */
  write(index: number, body: FunctionBody, plan: FunctionPlan, out: Writer): void {
    const { module, types } = this.context;
    const typeIndex = module.functions[index] as number;
    const type = module.types[typeIndex];
    const parameterCount = type?.params.length ?? 0;
    this.isPassing = this.conventions.isPassing(index);
    this.movedIndex = parameterCount + body.localCount;
    this.stackLocal = this.movedIndex + 1;
    this.elementLocal = this.stackLocal + (plan.catches ? 1 : 0);
    this.stackWeight = this.accounts.weight(index);
    const passesTables = plan.callsIndirectly && this.conventions.isPrivate.includes(true);
    this.nanTypes = nanLocals(plan.nanShapes);
    this.nanLocal = this.elementLocal + (passesTables ? 1 : 0);
    const last = [
      ...(plan.catches ? [ValueTypes.i64] : []),
      ...(passesTables ? [ValueTypes.i32] : []),
      ...this.nanTypes,
    ];
    writeLocals(body.locals, this.isPassing ? [] : [ValueTypes.i64], last, out);
    this.fuel.enter(out, parameterCount);
    this.writeEntry(index, plan);
    if (plan.isEndBranchedTo) {
      out.byte(BLOCK);
      const results = type?.results ?? [];
      if (results.length > 1) out.signed(types.index({ params: [], results }));
      else out.byte(results[0] ?? NO_TYPE);
    }
    this.writeCode(body, plan, out);
  }

  private writeEntry(index: number, plan: FunctionPlan): void {
    const { fuel } = this;
    const units = this.plan.events.charge(plan.entryEvent);
    this.entryUnits = 0;
    const checksStack = this.accounts.isChecked(index);
    const isChecked = this.conventions.isChecked(index) || checksStack;
    if (this.isPassing && !isChecked && this.stackWeight === 0 && plan.entryUse >= 0 && !plan.catches) {
      this.entryUnits = units;
      return;
    }
    if (this.isPassing) fuel.get();
    else fuel.fromGlobal();
    fuel.take(units, this.stackWeight);
    if (!isChecked) {
      fuel.set();
    } else {
      fuel.tee();
      if (checksStack) fuel.checkStack();
      else fuel.check();
    }
    if (plan.catches) fuel.saveStack(this.stackLocal);
  }

  private writeCode({ code }: FunctionBody, plan: FunctionPlan, out: Writer): void {
    const { events } = this.plan;
    let copied = code.start;
    for (let event = plan.firstEvent; event < plan.endEvent; event++) {
      const kind = events.kind(event);
      if (kind === Events.none || event === plan.entryEvent) continue;
      const start = events.start(event);
      let units = events.charge(event);
      if (event === plan.entryUse) units += this.entryUnits;
      if (kind === Events.charge) {
        if (units === 0) continue;
        this.copyCode(copied, start, out);
        copied = start;
        this.fuel.charge(units);
      } else {
        this.copyCode(copied, start, out);
        copied = this.writeEvent(kind, event, start, units, plan, out);
      }
    }
  }

  /** Copies code of the guest's in which nothing changes but single bytes. */
  private copyCode(start: number, end: number, out: Writer): void {
    const { patches } = this.plan;
    const shift = out.length - start;
    out.copy(this.context.module.bytes, start, end);
    for (let offset = this.nextPatch; offset < end; offset = this.nextPatch) {
      out.patch(offset + shift, patches.value(this.patch++));
      this.nextPatch = patches.offset(this.patch);
    }
  }

  /** Returns the offset of the first byte of the guest's that is not dealt with yet. */
  private writeEvent(
    kind: number,
    event: number,
    start: number,
    units: number,
    plan: FunctionPlan,
    out: Writer,
  ): number {
    const { fuel, conventions } = this;
    const { bytes } = this.context.module;
    const operand = this.plan.events.operand(event);
    switch (kind) {
      case Events.movedLocal:
        out.byte(operand);
        out.u32(this.movedIndex);
        return afterIndex(bytes, start + 1);
      case Events.loop:
        fuel.get();
        if (units > 0) {
          fuel.take(units, 0);
          fuel.tee();
        }
        fuel.check();
        return start;
      case Events.call:
        if (!conventions.isPassing(operand)) return this.callOut(start, units, out);
        fuel.get();
        fuel.take(units, 0);
        out.copy(bytes, start, afterIndex(bytes, start + 1));
        fuel.set();
        return afterIndex(bytes, start + 1);
      case Events.callIndirect:
        return conventions.isPrivate[operand]
          ? this.callPrivate(start, units, out)
          : this.callOut(start, units, out);
      case Events.callOut:
        return this.callOut(start, units, out);
      case Events.helped:
        fuel.get();
        fuel.take(units, 0);
        out.byte(CALL);
        out.u32(this.context.helpers.index(operand));
        fuel.set();
        return this.context.helpers.afterInstruction(operand, start);
      case Events.globalGet:
      case Events.globalSet:
        out.byte(kind === Events.globalGet ? GLOBAL_GET : GLOBAL_SET);
        out.u32(this.context.shiftGlobal(operand));
        return afterIndex(bytes, start + 1);
      case Events.return:
        this.giveBack(units);
        out.byte(RETURN);
        return start + 1;
      case Events.end:
        this.writeEnd(units, operand === 1, plan, out);
        return start + 1;
      case Events.returnCall:
        this.giveBack(units);
        out.byte(RETURN_CALL);
        out.u32(conventions.front(operand));
        return afterIndex(bytes, start + 1);
      case Events.returnCallIndirect:
        this.giveBack(units);
        return start;
      case Events.refFunc:
        out.byte(REF_FUNC);
        out.u32(conventions.front(operand));
        return afterIndex(bytes, start + 1);
      case Events.catch:
      case Events.reload:
        fuel.reloadWithStack(this.stackLocal);
        return start;
      case Events.canonical:
        writeCanonical(out, operand, this.nanTypes, this.nanLocal);
        return start;
      case Events.spill:
        fuel.spill();
        return start;
      default:
        // `unreachable`, or an exception that is raised
        fuel.get();
        fuel.take(units, 0);
        fuel.toGlobal();
        return start;
    }
  }

  private callOut(start: number, units: number, out: Writer): number {
    const { bytes } = this.context.module;
    const isIndirect = bytes[start] !== CALL;
    const end = isIndirect ? afterIndex(bytes, afterIndex(bytes, start + 1)) : afterIndex(bytes, start + 1);
    this.fuel.get();
    this.fuel.take(units, 0);
    this.fuel.toGlobal();
    out.copy(bytes, start, end);
    this.fuel.reload();
    return end;
  }

  /** Through a table of which all functions are passing. */
  private callPrivate(start: number, units: number, out: Writer): number {
    const { types, module } = this.context;
    const indices = new Reader(module.bytes, start + 1);
    // The fuel comes below the index of the element.
    out.byte(LOCAL_SET);
    out.u32(this.elementLocal);
    this.fuel.get();
    this.fuel.take(units, 0);
    out.byte(LOCAL_GET);
    out.u32(this.elementLocal);
    out.byte(CALL_INDIRECT);
    out.u32(types.passingFuel(indices.u32()));
    out.u32(indices.u32());
    this.fuel.set();
    return indices.position;
  }

  /** Before the function is left: the fuel as its last result, or in the global. */
  private giveBack(units: number): void {
    this.fuel.get();
    this.fuel.take(units, -this.stackWeight);
    if (!this.isPassing) this.fuel.toGlobal();
  }

  private writeEnd(units: number, isDead: boolean, plan: FunctionPlan, out: Writer): void {
    if (plan.isEndBranchedTo) {
      // Not all that comes to the end comes by the code before it.
      this.fuel.charge(units);
      out.byte(END);
      if (plan.isEndCaught) this.fuel.reloadWithStack(this.stackLocal);
      this.giveBack(0);
    } else if (!isDead) {
      this.giveBack(units);
    }
    out.byte(END);
  }
}

/** The offset after an index that was checked. */
function afterIndex(bytes: Uint8Array, start: number): number {
  let position = start;
  while ((bytes[position++] as number) >= 0x80);
  return position;
}
