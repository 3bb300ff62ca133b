/**
 * Static limits of a component. Figures count the whole file, nested components included, unless they say
 * otherwise.
 */
export interface ModuleLimits {
  fileBytes: number;
  /** Of one name, as UTF-8. */
  nameBytes: number;

  /** How deep components and their types may nest, the outermost being 1. */
  componentDepth: number;
  /** Definitions, declarations, arguments, fields and labels of the whole file together. */
  componentItems: number;
  /** Of all components together, custom ones included. */
  componentSections: number;
  components: number;
  /** Instances of components that any one component makes, through those that it instantiates too. */
  componentInstances: number;
  /** Entries of the type and core type sections of components. */
  componentTypes: number;
  canons: number;
  aliases: number;

  coreModules: number;
  /** Instances of core modules that any one component makes, likewise, bags of exports included. */
  coreInstances: number;
  /** Instances of any one core module. */
  moduleInstances: number;

  types: number;
  /** Of one module's type section. */
  typeSectionBytes: number;
  /** Of core modules, and so on for all that follow. */
  sections: number;
  imports: number;
  exports: number;
  functions: number;
  globals: number;
  tags: number;
  /** Of one tag. */
  tagParameters: number;
  tables: number;
  /** Minimum sizes of all tables together, for as many instances as are made. */
  tableElements: number;
  memories: number;
  /** Minimum sizes of all memories together, for as many instances as are made. */
  initialMemoryBytes: number;
  elementSegments: number;
  elementItems: number;
  dataSegments: number;

  /** Of one function. */
  bodyBytes: number;
  /** Of all functions. */
  codeBytes: number;
  /** Of one function, parameters included. */
  functionLocals: number;
  locals: number;
  /** Runs of locals of one type, however long. */
  localRuns: number;
  /** Of one function. */
  blockDepth: number;
  /** Targets of one `br_table`. */
  branchTableTargets: number;
  /** Targets of all `br_table` of one function. */
  functionBranchTargets: number;
  /** Branching instructions of one function. */
  functionBranches: number;
  /** Of each function the number of its branching instructions, squared; summed: so compilers' work grows. */
  branchesSquared: number;
  functionLoops: number;
  /** The same of its loops. */
  loopsSquared: number;
  /** Calls, divisions, conversions that check, and operations on tables and whole memories, of one function. */
  functionHeavyInstructions: number;
  heavyInstructions: number;
  /** Locals times branching instructions of one function: what an optimising compiler's work grows with. */
  functionLocalsTimesBranches: number;
  /** The same, summed over all functions. */
  localsTimesBranches: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Two to five times what real toolchains' largest output needs, and for the figures that decide how long an
 * engine compiles, one and a quarter to two times: the one place where they are set.
 */
export const DEFAULT_MODULE_LIMITS: Readonly<ModuleLimits> = {
  fileBytes: 32 * MIB,
  nameBytes: 512,

  componentDepth: 8,
  componentItems: 20_000,
  componentSections: 10_000,
  components: 100,
  componentInstances: 200,
  componentTypes: 5_000,
  canons: 2_000,
  aliases: 5_000,

  coreModules: 64,
  coreInstances: 400,
  moduleInstances: 8,

  types: 2_000,
  typeSectionBytes: 128 * KIB,
  sections: 10_000,
  imports: 2_000,
  exports: 10_000,
  functions: 60_000,
  globals: 10_000,
  tags: 1_000,
  tagParameters: 32,
  tables: 16,
  // As many as all tables of a guest may grow to.
  tableElements: 100_000,
  memories: 8,
  initialMemoryBytes: 1024 * MIB,
  elementSegments: 10_000,
  elementItems: 200_000,
  // As many as the JavaScript interface takes: Go makes one of every few bytes.
  dataSegments: 100_000,

  bodyBytes: 256 * KIB,
  codeBytes: 13 * MIB,
  functionLocals: 2_000,
  locals: 2_000_000,
  localRuns: 500_000,
  blockDepth: 2_000,
  branchTableTargets: 2_048,
  functionBranchTargets: 8_192,
  functionBranches: 9_000,
  branchesSquared: 250_000_000,
  functionLoops: 800,
  loopsSquared: 1_000_000,
  functionHeavyInstructions: 6_000,
  heavyInstructions: 250_000,
  functionLocalsTimesBranches: 2_000_000,
  localsTimesBranches: 24_000_000,
};

export type ModuleLimit = keyof ModuleLimits;

export const MODULE_LIMITS = Object.keys(DEFAULT_MODULE_LIMITS) as ModuleLimit[];

/** Above its default, each would let a module keep an engine's compilers busy, or make it hold more, than fuel pays for. */
const FIXED: ReadonlySet<ModuleLimit> = new Set([
  "types",
  "typeSectionBytes",
  "functions",
  "tagParameters",
  "tableElements",
  "bodyBytes",
  "codeBytes",
  "functionLocals",
  "locals",
  "localRuns",
  "blockDepth",
  "branchTableTargets",
  "functionBranchTargets",
  "functionBranches",
  "branchesSquared",
  "functionLoops",
  "loopsSquared",
  "functionHeavyInstructions",
  "heavyInstructions",
  "functionLocalsTimesBranches",
  "localsTimesBranches",
]);

/** How often its default any other may be set to. */
const MOST_TIMES = 4;

/** The most that a limit may be set to, by whoever declares a hook; the least is 0. */
export function mostOf(limit: ModuleLimit): number {
  return DEFAULT_MODULE_LIMITS[limit] * (isFixed(limit) ? 1 : MOST_TIMES);
}

/** Whether a limit may be lowered only. */
export function isFixed(limit: ModuleLimit): boolean {
  return FIXED.has(limit);
}

/** The limits that are not at their defaults, in one order: the same text for the same limits. */
export function changedLimits(limits: Partial<ModuleLimits> = {}): string {
  const changed = MODULE_LIMITS.filter(
    (limit) => (limits[limit] ?? DEFAULT_MODULE_LIMITS[limit]) !== DEFAULT_MODULE_LIMITS[limit],
  );
  return changed.map((limit) => `${limit}=${limits[limit]}`).join(",");
}
