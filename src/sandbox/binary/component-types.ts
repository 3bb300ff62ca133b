import type { Range } from "./bytes.js";
import type { Definition } from "./component-definition.js";

/**
 * The types of the component layer, with every index and alias followed, so that two types are the same
 * when they have the same shape. Types share their parts: written out, one may be far larger than its file.
 */
export type ComponentTypeDef = ValueType | FuncType | InstanceType | ComponentType | ResourceType;

export type PrimitiveName =
  | "bool"
  | "s8"
  | "u8"
  | "s16"
  | "u16"
  | "s32"
  | "u32"
  | "s64"
  | "u64"
  | "f32"
  | "f64"
  | "char"
  | "string";

export type ValueType =
  | { readonly kind: PrimitiveName }
  | { readonly kind: "record"; readonly fields: readonly Field[] }
  | { readonly kind: "variant"; readonly cases: readonly Case[] }
  | { readonly kind: "list"; readonly element: ValueType }
  | { readonly kind: "tuple"; readonly elements: readonly ValueType[] }
  | { readonly kind: "flags" | "enum"; readonly labels: readonly string[] }
  | { readonly kind: "option"; readonly element: ValueType }
  | { readonly kind: "result"; readonly ok: ValueType | undefined; readonly error: ValueType | undefined }
  | { readonly kind: "own" | "borrow"; readonly resource: ResourceType };

export interface Field {
  readonly name: string;
  readonly type: ValueType;
}

export interface Case {
  readonly name: string;
  readonly type: ValueType | undefined;
}

export interface FuncType {
  readonly kind: "func";
  readonly params: readonly Field[];
  readonly result: ValueType | undefined;
}

export interface ResourceType {
  readonly kind: "resource";
  /** The index of its destructor in the component that defines it. */
  readonly dtor?: number;
}

export interface InstanceType {
  readonly kind: "instance";
  readonly exports: Externs;
}

export interface ComponentType {
  readonly kind: "component";
  readonly imports: Externs;
  readonly exports: Externs;
}

/** Imports or exports by name, in order. */
export type Externs = ReadonlyMap<string, Extern>;

/** Something imported or exported by name. `type` with sort `type` is the type that is passed itself. */
export type Extern = { readonly name: string; readonly offset: number } & (
  | { readonly sort: "func"; readonly type: FuncType }
  | { readonly sort: "instance"; readonly type: InstanceType }
  | { readonly sort: "component"; readonly type: ComponentType }
  | { readonly sort: "type"; readonly type: ComponentTypeDef }
);

/** A core module where it stands in the file: `range` is its own bytes, from its magic on. */
export interface ModuleSection {
  readonly range: Range;
}

export interface Section {
  readonly id: number;
  /** Of its kind, such as `canon` or `custom`. */
  readonly name: string;
  /** A custom section's own name. */
  readonly customName: string | undefined;
  /** Offset of the section's id. */
  readonly offset: number;
  readonly contents: Range;
}

/** A component: what it is made of, where it stands, and what it means for its surroundings. */
export interface Component extends ComponentType {
  readonly range: Range;
  readonly sections: readonly Section[];
  readonly modules: readonly ModuleSection[];
  readonly components: readonly Component[];
  /** All that it defines, in order. */
  readonly body: readonly Definition[];
  /** How many definitions of each sort it makes, those of nested components not included. */
  readonly definitions: { readonly [S in DefinitionKind]: number };
  /** What one instantiation of it instantiates in all, through nested components too. */
  readonly instantiates: Instantiations;
}

export type DefinitionKind = "types" | "canons" | "aliases";

export interface Instantiations {
  readonly components: number;
  /** Core instances, those that are only a bag of exports included. */
  readonly coreInstances: number;
  readonly modules: ReadonlyMap<ModuleSection, number>;
}
