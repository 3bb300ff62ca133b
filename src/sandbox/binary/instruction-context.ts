/** The index spaces that instructions refer to. A `CoreModule` is one. */
export interface InstructionContext {
  readonly bytes: Uint8Array;
  readonly types: readonly unknown[];
  readonly functions: readonly unknown[];
  readonly tables: readonly unknown[];
  readonly memories: readonly unknown[];
  readonly globals: readonly unknown[];
  readonly tags: readonly unknown[];
  readonly elements: readonly unknown[];
  readonly dataCount?: number;
}
