import type { ModuleLimits } from "../../hooks/module-limits.js";
import { overLimit } from "../binary/over-limit.js";

/** What each figure counts, for messages: "The module has 9 ...". */
const NOUNS: Readonly<Record<keyof ModuleLimits, string>> = {
  fileBytes: "bytes",
  nameBytes: "bytes in a name",
  componentDepth: "levels of nesting",
  componentItems: "items",
  componentSections: "sections",
  components: "components",
  componentInstances: "instances of components",
  componentTypes: "component types",
  canons: "canonical functions",
  aliases: "aliases",
  coreModules: "core modules",
  coreInstances: "core instances",
  moduleInstances: "instances of one core module",
  types: "core types",
  typeSectionBytes: "bytes in a core type section",
  sections: "sections of core modules",
  imports: "core imports",
  exports: "core exports",
  functions: "functions",
  globals: "globals",
  tags: "tags",
  tagParameters: "parameters of one tag",
  tables: "tables",
  tableElements: "elements in its tables from the start",
  memories: "memories",
  initialMemoryBytes: "bytes of memory from the start",
  elementSegments: "element segments",
  elementItems: "items in element segments",
  dataSegments: "data segments",
  bodyBytes: "bytes in one function",
  codeBytes: "bytes in its functions",
  functionLocals: "locals in one function",
  locals: "locals",
  localRuns: "runs of locals",
  blockDepth: "blocks nested in one function",
  branchTableTargets: "targets in one br_table",
  functionBranchTargets: "br_table targets in one function",
  functionBranches: "branching instructions in one function",
  branchesSquared: "branching instructions, squared for each function",
  functionLoops: "loops in one function",
  loopsSquared: "loops, squared for each function",
  functionHeavyInstructions: "calls and other instructions that take much to compile in one function",
  heavyInstructions: "calls and other instructions that take much to compile",
  functionLocalsTimesBranches: "locals times branches in one function",
  localsTimesBranches: "locals times branches",
};

/** Holds figures against the limits; what is summed over the file is summed here. */
export class Budget {
  readonly limits: Readonly<ModuleLimits>;
  private readonly used = new Map<keyof ModuleLimits, number>();

  constructor(limits: Readonly<ModuleLimits>) {
    this.limits = limits;
  }

  /** Counts `amount` more of something. @throws WasmhookError `module-refused` once the sum is over its limit */
  add(limit: keyof ModuleLimits, amount: number, offset?: number): void {
    const sum = (this.used.get(limit) ?? 0) + amount;
    this.used.set(limit, sum);
    this.check(limit, sum, offset);
  }

  /** @throws WasmhookError `module-refused` where one figure is over its limit */
  check(limit: keyof ModuleLimits, figure: number, offset?: number): void {
    const allowed = this.limits[limit];
    if (figure > allowed) throw overLimit(limit, NOUNS[limit], figure, allowed, offset);
  }
}
