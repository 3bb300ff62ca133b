import type { CoreModule, FunctionBody } from "../binary/core-module.js";
import type { ValueType } from "../binary/core-types.js";
import { opcodeNumber } from "../binary/opcodes.js";
import { malformed } from "../binary/refusal.js";
import { METER_GLOBAL_ORDER } from "../meter-contract.js";
import { Actions, instructionFacts } from "./actions.js";
import { ControlScanner } from "./control-scanner.js";
import { entryCost, instructionCost } from "./cost-table.js";
import { Events } from "./events.js";
import { Shapes, shapeGiven, shapeTaken } from "./float-shapes.js";
import { stackEffect } from "./instruction-effects.js";
import type { FunctionPlan, ModulePlan } from "./module-plan.js";
import { NanTracker } from "./nan-tracker.js";

const GLOBAL_GET = opcodeNumber("global.get");
const NONE = -1;
/** Their indices take one byte in the metered module too. */
const MOST_PATCHED_GLOBALS = 0x80 - METER_GLOBAL_ORDER.length;

/** How often code in a loop is executed more than the code around it, roughly; deeper loops than that are alike. */
const WEIGHT_OF_LOOP = 8;
const MOST_LOOPS = 6;

/** Reads function bodies, and plans what is to be written into them. */
export class CodeScanner {
  private readonly module: CoreModule;
  private readonly plan: ModulePlan;
  private readonly control: ControlScanner;
  private readonly nans: NanTracker;
  private readonly unwinds: boolean;
  private nanShapes = 0;
  private usesVectors = false;

  /** @param unwinds whether an exception may come out of any call */
  constructor(module: CoreModule, plan: ModulePlan, unwinds: boolean) {
    this.module = module;
    this.plan = plan;
    this.unwinds = unwinds;
    this.nans = new NanTracker(plan.events);
    this.control = new ControlScanner(module, plan, unwinds);
  }

  /** @throws WasmhookError `module-refused` or `feature-refused` where the code is not what we accept */
  scan(body: FunctionBody, params: readonly ValueType[]): FunctionPlan {
    const { control, plan } = this;
    const { events } = plan;
    const firstEvent = events.count;
    const firstPatch = plan.patches.count;
    const firstCall = plan.calls.count;
    control.hasTryTable = false;
    this.scanBody(body, params);
    if (control.hasTryTable) {
      // Branches have to be looked at, which is known only now.
      events.count = firstEvent;
      plan.patches.count = firstPatch;
      plan.calls.count = firstCall;
      this.scanBody(body, params);
      control.catchTargets.settle(firstEvent);
    }
    this.nans.settle();
    return {
      firstEvent,
      endEvent: events.count,
      firstCall,
      endCall: plan.calls.count,
      entryEvent: control.entryEvent,
      entryUse: control.entryUse,
      totalCost: control.placer.totalCost,
      maxHeight: control.maxHeight,
      usesVectors: this.usesVectors,
      nanShapes: this.nanShapes,
      makesTailCalls: control.makesTailCalls,
      callsUnknown: control.callsUnknown,
      callsIndirectly: control.callsIndirectly,
      catches: control.catches,
      isEndBranchedTo: control.placer.isEndBranchedTo,
      isEndCaught: control.hasTryTable && control.catchTargets.hasEnd,
    };
  }

  private scanBody(body: FunctionBody, params: readonly ValueType[]): void {
    const { control } = this;
    const { code, locals: runs, localCount } = body;
    const locals = params.length + localCount;
    this.nans.enter(params, runs);
    control.enter(code.start, code.end, locals);
    control.placer.spend(entryCost(body, this.unwinds));
    this.usesVectors = false;
    this.nanShapes = 0;
    this.scanInstructions(locals, localCount > 0 ? params.length : NONE);
    if (control.position !== code.end) {
      throw malformed(Math.min(control.position, code.end), "a function's code and its body end apart");
    }
  }

  /** @param movedLocal the local whose index is another in the metered function */
  private scanInstructions(localCount: number, movedLocal: number): void {
    const { control, nans } = this;
    const { followsLocals } = nans;
    const { bytes, globals, memories } = this.module;
    const { events, patches } = this.plan;
    const firstOwnGlobal = this.module.imported.global;
    const hasMemory = memories.length > 0;
    let position = control.position;
    let height = 0;
    let maxHeight = 0;
    let cost = 0;
    let nanTop = -1;
    // The offset after the last instruction that gave a float which is no NaN.
    let numberEnd = NONE;
    for (;;) {
      const start = position;
      const opcode = bytes[position++] as number;
      const facts = instructionFacts[opcode] as number;
      const action = facts & 0xff;
      cost += (facts >> 8) & 0xfff;
      height += facts >> 20;
      if (height > maxHeight) maxHeight = height;
      if (height <= nanTop && action < Actions.local) {
        nans.drop(height);
        nanTop = nans.top;
      }
      switch (action) {
        case Actions.none:
          continue;
        case Actions.local: {
          let index = bytes[position++] as number;
          if (index >= 0x80 || index >= localCount) {
            control.position = start + 1;
            index = control.index(localCount, start);
            position = control.position;
          }
          if (index === movedLocal) {
            if (localCount < 0x80 && position === start + 2) patches.push(start + 1, localCount);
            else events.push(Events.movedLocal, start, opcode);
          }
          if (followsLocals) nans.local(opcode, index, height, position, start === numberEnd);
          else if (height <= nanTop) nans.drop(height);
          else continue;
          nanTop = nans.top;
          continue;
        }
        case Actions.integer:
          while ((bytes[position++] as number) >= 0x80);
          continue;
        case Actions.memarg:
          if (hasMemory && (bytes[position] as number) < 0x40) {
            position++;
            while ((bytes[position++] as number) >= 0x80);
            continue;
          }
          control.refuse(start);
          position = control.position;
          continue;
        case Actions.global: {
          control.position = start + 1;
          const index = control.index(globals.length, start);
          position = control.position;
          if (index < firstOwnGlobal) continue;
          if (index < MOST_PATCHED_GLOBALS && position === start + 2) {
            patches.push(start + 1, index + METER_GLOBAL_ORDER.length);
          } else {
            events.push(opcode === GLOBAL_GET ? Events.globalGet : Events.globalSet, start, index);
          }
          continue;
        }
        case Actions.bytes4:
          position += 4;
          if (((bytes[position - 1] as number) & 0x7f) < 0x7f) numberEnd = position;
          continue;
        case Actions.bytes8:
          position += 8;
          if (((bytes[position - 1] as number) & 0x7f) < 0x7f) numberEnd = position;
          continue;
        case Actions.convert:
          numberEnd = position;
          continue;
        case Actions.float:
          nans.operate(shapeTaken[opcode] as number, shapeGiven[opcode] as number, height, position);
          nanTop = nans.top;
          this.nanShapes |= 1 << (shapeGiven[opcode] as number);
          continue;
        case Actions.vector: {
          this.usesVectors = true;
          const vector = control.vector(start);
          cost += instructionCost[vector] as number;
          height += stackEffect[vector] as number;
          position = control.position;
          if (shapeTaken[vector] === Shapes.none) {
            if (height <= nanTop) nans.drop(height);
            nanTop = nans.top;
            continue;
          }
          nans.operate(shapeTaken[vector] as number, shapeGiven[vector] as number, height, position);
          nanTop = nans.top;
          this.nanShapes |= 1 << (shapeGiven[vector] as number);
          continue;
        }
        default:
          if (nanTop >= 0) nans.clear();
          nanTop = -1;
          control.placer.spend(cost);
          cost = 0;
          control.position = position;
          control.height = height;
          control.maxHeight = maxHeight;
          if (control.scan(action, opcode, start)) return;
          position = control.position;
          height = control.height;
          maxHeight = control.maxHeight;
          if (followsLocals) nans.weight = WEIGHT_OF_LOOP ** Math.min(control.placer.loopDepth, MOST_LOOPS);
      }
    }
  }
}
