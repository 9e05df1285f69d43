import { ListValue } from "../values/list.ts";
import { Failure, type Result, type Value } from "../values/value.ts";
import { type Type, listType } from "./type.ts";

/** What an overload says to values that it is not for. */
export const mismatch = Symbol("mismatch");

/** One signature of a function and what it does. */
export interface Overload {
  readonly id: string;
  /** True where the first parameter stands before the dot. */
  readonly member: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Compares numbers of different types, which older dialects do not allow. */
  readonly crossType?: boolean;
  readonly invoke: (values: readonly Value[]) => Result | typeof mismatch;
}

/** A function with all its signatures, in the order in which they are tried. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** A type for the checker together with the test that a value is of it. */
export interface Kind<T extends Value> {
  readonly type: Type;
  readonly is: (value: Value) => value is T;
}

type ValuesOf<Kinds extends readonly Kind<Value>[]> = {
  [Index in keyof Kinds]: Kinds[Index] extends Kind<infer T> ? T : never;
};

interface Signature<Kinds extends readonly Kind<Value>[]> {
  readonly id: string;
  readonly parameters: Kinds;
  readonly result: Type;
  readonly run: (...values: ValuesOf<Kinds>) => Result;
}

/** Declares a signature of a plain function, `f(x)`. */
export function overload<const Kinds extends readonly Kind<Value>[]>(signature: Signature<Kinds>): Overload {
  return declare(signature, false);
}

/** Declares a signature of a function called on its first parameter, `x.f()`. */
export function method<const Kinds extends readonly Kind<Value>[]>(signature: Signature<Kinds>): Overload {
  return declare(signature, true);
}

function declare<const Kinds extends readonly Kind<Value>[]>(
  { id, parameters, result, run }: Signature<Kinds>,
  member: boolean,
): Overload {
  const invoke = (values: readonly Value[]) => {
    for (let index = 0; index < parameters.length; index++) {
      const value = values[index];
      if (value === undefined || parameters[index]?.is(value) !== true) return mismatch;
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every value was just tested against its kind
    return run(...(values as unknown as ValuesOf<Kinds>));
  };
  return { id, member, parameters: parameters.map((kind) => kind.type), result, invoke };
}

/** Lists whose elements are of a kind; as everywhere at run time, the first element speaks for all. */
export function listOf<T extends Value>(kind: Kind<T>): Kind<ListValue> {
  return {
    type: listType(kind.type),
    is: (value): value is ListValue => value instanceof ListValue && (value.size === 0 || firstIs(value, kind)),
  };
}

function firstIs(list: ListValue, kind: Kind<Value>): boolean {
  const first = list.at(0);
  return !(first instanceof Failure) && kind.is(first);
}

/** Joins declarations of the same name, keeping their order. */
export function mergeFunctions(declarations: readonly FunctionDeclaration[]): ReadonlyMap<string, FunctionDeclaration> {
  const merged = new Map<string, FunctionDeclaration>();
  for (const declaration of declarations) {
    const known = merged.get(declaration.name);
    if (known === undefined) merged.set(declaration.name, declaration);
    else merged.set(declaration.name, { ...known, overloads: [...known.overloads, ...declaration.overloads] });
  }
  return merged;
}
