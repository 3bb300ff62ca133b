import { Reader } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { BLOCK, CATCH, CATCH_ALL, DELEGATE, IF, LOOP, TRY, TRY_TABLE } from "../binary/instructions.js";
import { Immediates, immediatesOf, opcodeName, opcodeNumber } from "../binary/opcodes.js";
import { malformed } from "../binary/refusal.js";
import { Actions } from "./actions.js";
import { BlockReader } from "./block-reader.js";
import { instructionCost } from "./cost-table.js";
import { type EventList, Events } from "./events.js";
import { stackEffect } from "./instruction-effects.js";
import type { ModulePlan } from "./module-plan.js";

const THROW = opcodeNumber("throw");
const RETHROW = opcodeNumber("rethrow");
const THROW_REF = opcodeNumber("throw_ref");
const RETURN_CALL = opcodeNumber("return_call");
const RETURN_CALL_INDIRECT = opcodeNumber("return_call_indirect");
const REF_FUNC = opcodeNumber("ref.func");

/**
 * Plans what control instructions, and others that take more than counting, need. Decodes the common ones by
 * itself; the others, and whatever it finds wrong, it leaves to the general reader, which words the error.
 */
export class ControlScanner extends BlockReader {
  makesTailCalls = false;
  callsUnknown = false;
  callsIndirectly = false;
  catches = false;
  hasTryTable = false;
  /** The event of the first charge, and the first that works with the fuel after it, where it may be paid too. */
  entryEvent = -1;
  entryUse = -1;
  private readonly plan: ModulePlan;
  private readonly events: EventList;
  private readonly unwinds: boolean;
  private lastCallEnd = 0;
  private tryDepth = 0;
  /** the offset after the last instruction that control never passes */
  private leftAt = 0;

  /** @param unwinds whether an exception may come out of any call */
  constructor(module: CoreModule, plan: ModulePlan, unwinds: boolean) {
    super(module, plan);
    this.plan = plan;
    this.events = plan.events;
    this.unwinds = unwinds;
  }

  /** Starts a function. */
  enter(start: number, codeEnd: number, localCount: number): void {
    this.startAt(start, codeEnd, localCount);
    this.tryDepth = this.lastCallEnd = 0;
    this.makesTailCalls = this.callsUnknown = false;
    this.callsIndirectly = this.catches = false;
    this.catchTargets.enter(this.hasTryTable);
    this.entryUse = -1;
    this.entryEvent = this.placer.enter(start);
  }

  /** Deals with the instruction at `start`, whose opcode was read. Returns true at the end of the function. */
  scan(action: number, opcode: number, start: number): boolean {
    const { placer, catchTargets, blocks } = this;
    switch (action) {
      case Actions.end:
        return this.end(start);
      case Actions.branch: {
        const label = this.label(start);
        catchTargets.spill(label, start);
        placer.branch(label);
        this.leftAt = this.position;
        return false;
      }
      case Actions.branchIf: {
        const label = this.label(start);
        catchTargets.spill(label, start);
        this.height--;
        placer.branchIf(label, this.position);
        return false;
      }
      case Actions.call: {
        const target = this.index(this.module.functions.length, start);
        const type = this.module.types[this.module.functions[target] as number];
        this.height += (type?.results.length ?? 0) - (type?.params.length ?? 0);
        const isOwn = target >= this.module.imported.func;
        if (isOwn) this.plan.noteCall(target);
        this.call(isOwn ? Events.call : Events.callOut, start, target);
        return false;
      }
      case Actions.callIndirect: {
        const type = this.module.types[this.index(this.module.types.length, start)];
        const table = this.index(this.module.tables.length, start);
        this.height += (type?.results.length ?? 0) - (type?.params.length ?? 0) - 1;
        this.callsIndirectly = true;
        this.call(Events.callIndirect, start, table);
        return false;
      }
      case Actions.block:
        this.openBlock(start, BLOCK);
        placer.open(BLOCK);
        return false;
      case Actions.loop:
        catchTargets.open();
        catchTargets.spill(0, start);
        this.blockType(start, LOOP);
        catchTargets.reload(this.position);
        placer.openLoop(this.position);
        return false;
      case Actions.if:
        this.height--;
        this.openBlock(start, IF);
        placer.openIf(this.position);
        return false;
      case Actions.else:
        if (blocks.kind !== IF) throw misplaced(start, opcode);
        catchTargets.spill(0, start);
        blocks.kind = BLOCK;
        this.height = blocks.startHeight;
        placer.otherwise(this.position);
        return false;
      case Actions.branchTable:
        this.height--;
        this.branchTable(start);
        return false;
      case Actions.return:
        this.use(Events.return, start, 0);
        placer.exit();
        this.leftAt = this.position;
        return false;
      case Actions.unreachable:
        // After a call that never returns nobody is there to see the fuel.
        if (this.lastCallEnd !== start) this.use(Events.unreachable, start, 0);
        placer.leave();
        this.leftAt = this.position;
        return false;
      default:
        return this.rare(opcode, start);
    }
  }

  private end(start: number): boolean {
    const { placer, catchTargets, blocks } = this;
    catchTargets.spill(0, start);
    if (placer.depth === 1) {
      this.use(Events.end, start, this.leftAt === start ? 1 : 0);
      placer.finish();
      return true;
    }
    const { kind } = blocks;
    if (kind === TRY || kind === TRY_TABLE) this.tryDepth--;
    if (kind !== LOOP) catchTargets.reload(this.position);
    catchTargets.close();
    placer.close(this.position, kind === IF);
    this.height = blocks.close();
    return false;
  }

  private call(kind: number, start: number, target: number): void {
    if (kind !== Events.call) this.callsUnknown = true;
    this.use(kind, start, target);
    this.lastCallEnd = this.position;
    if (this.unwinds || this.tryDepth > 0) this.placer.mayExit(this.position);
  }

  /** An event that works with the fuel: where the charge before it can be paid by it, it is. */
  private use(kind: number, start: number, operand: number): void {
    const event = this.events.push(kind, start, operand);
    const { movable } = this.placer;
    if (movable < 0) return;
    this.placer.movable = -1;
    if (movable === this.entryEvent) {
      this.entryUse = event;
      return;
    }
    this.events.setCharge(event, this.events.charge(movable));
    this.events.setKind(movable, Events.none);
  }

  private branchTable(start: number): void {
    const { placer } = this;
    const count = this.index(0xffff_ffff, start);
    for (let i = 0; i <= count; i++) {
      const label = this.label(start);
      this.catchTargets.spill(label, start);
      placer.branchAmong(label);
    }
    placer.leave();
    this.leftAt = this.position;
  }

  private rare(opcode: number, start: number): boolean {
    const { instructions, placer, plan } = this;
    this.refuse(start);
    const { first, second } = instructions;
    const number = instructions.opcode;
    // The scanner counted the first byte only.
    const isPrefixed = number > 0xff;
    if (isPrefixed) placer.spend((instructionCost[number] as number) - (instructionCost[opcode] as number));
    if (isPrefixed) this.height += stackEffect[number] as number;
    switch (number) {
      case TRY:
        this.openTyped(TRY);
        this.catchTargets.open();
        placer.open(TRY);
        this.tryDepth++;
        return false;
      case CATCH:
      case CATCH_ALL:
        this.catch(number, first, start);
        return false;
      case DELEGATE:
        if (this.blocks.kind !== TRY) throw misplaced(start, number);
        return this.end(start);
      case TRY_TABLE:
        this.tryTable();
        return false;
      case THROW:
      case RETHROW:
      case THROW_REF:
        this.use(Events.throw, start, 0);
        placer.exit();
        this.leftAt = this.position;
        return false;
      case RETURN_CALL:
      case RETURN_CALL_INDIRECT:
        this.makesTailCalls = this.callsUnknown = true;
        if (number === RETURN_CALL) plan.noteReference(first);
        else plan.noteTableUse(second);
        this.use(number === RETURN_CALL ? Events.returnCall : Events.returnCallIndirect, start, first);
        placer.exit();
        this.leftAt = this.position;
        return false;
      case REF_FUNC:
        plan.noteReference(first);
        // The segments of a table may be what declares the function for this, so they have to go on naming it.
        plan.usedTables.fill(1);
        this.events.push(Events.refFunc, start, first);
        return false;
      default:
        this.noteTables(number);
        if (plan.isHelped(number)) this.use(Events.helped, start, plan.helper(number, first, second));
        return false;
    }
  }

  private noteTables(opcode: number): void {
    const { first, second } = this.instructions;
    switch (immediatesOf[opcode]) {
      case Immediates.tables:
        this.plan.noteTableUse(first);
        this.plan.noteTableUse(second);
        return;
      case Immediates.elemTable:
        this.plan.noteTableUse(second);
        return;
      case Immediates.table:
        this.plan.noteTableUse(first);
    }
  }

  private catch(opcode: number, tag: number, start: number): void {
    const { blocks, placer } = this;
    if (blocks.kind !== TRY && blocks.kind !== CATCH) throw misplaced(start, opcode);
    if (blocks.kind === TRY) this.tryDepth--;
    this.catchTargets.spill(0, start);
    blocks.kind = CATCH;
    const type = opcode === CATCH ? this.module.types[this.module.tags[tag] as number] : undefined;
    this.height = blocks.base + (type?.params.length ?? 0);
    this.catches = true;
    // The fuel comes back before anything is charged for the handler.
    this.events.push(Events.catch, this.position);
    placer.handle(this.position);
  }

  private tryTable(): void {
    const { bytes } = this.module;
    const clauses = new Reader(bytes, this.instructions.immediates, this.codeEnd, "a try_table", true);
    clauses.s33();
    for (let count = clauses.u32(); count > 0; count--) {
      const isTagged = clauses.byte() < 2;
      if (isTagged) clauses.u32();
      const label = clauses.u32();
      this.placer.markCatch(label);
      this.catchTargets.mark(label);
    }
    this.catches = this.hasTryTable = true;
    this.openTyped(TRY_TABLE);
    this.catchTargets.open();
    this.placer.open(TRY_TABLE);
    this.tryDepth++;
  }
}

function misplaced(start: number, opcode: number): Error {
  return malformed(start, `${opcodeName(opcode)} stands outside of the block that it belongs to`);
}
