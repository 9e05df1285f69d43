import { text } from "./types/data/kinds.ts";

/** A resource as the real server's discovery tells it. */
export interface BuiltinKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural, lower-case name that URLs carry. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The name of its type in the table of types: `core/v1.Pod`. */
  readonly type: string;
  readonly subresources?: readonly BuiltinSubresource[];
}

export interface BuiltinSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** What is read and written there; absent where it is the resource itself. */
  readonly kind?: string;
  readonly type?: string;
}

let kinds: readonly BuiltinKind[] | undefined;

/** Every built-in kind in every version, the preferred version of a group first. */
export function builtinKinds(): readonly BuiltinKind[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the data is written by our own tool in this very shape
  return (kinds ??= JSON.parse(text) as readonly BuiltinKind[]);
}

/** True for what is kept; reviews and the like are only answered. */
export function isStored({ verbs }: BuiltinKind): boolean {
  return verbs.includes("list");
}
