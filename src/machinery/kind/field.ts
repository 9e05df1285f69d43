import type { JsonSchema } from "../schema/json-schema.ts";

declare const valueType: unique symbol;

/**
 * One value in the declaration of a kind. It stands for two things at once: the schema that a server checks, and the
 * TypeScript type of the value. `Optional` says whether the member that holds it may be absent.
 */
export interface Field<T, Optional extends boolean = boolean> {
  /** There is no such member: it only carries the type. */
  readonly [valueType]?: T;
  readonly isOptional: Optional;
  /** Made when it is first asked for, so that declaring a kind costs next to nothing. */
  schema(): JsonSchema;
  /** The same value with a sentence for the people who set it. */
  describe(sentence: string): Field<T, Optional>;
  /** The same value where it may be left out. */
  optional(): Field<T, true>;
  /** The same value where it may be null. */
  nullable(): Field<T | null, Optional>;
}

/** The TypeScript type of what a field holds. */
export type ValueOf<F> = F extends { readonly [valueType]?: infer T } ? T : never;

/** The members of an object, by name. */
export type Fields = { readonly [name: string]: Field<unknown> };

type OptionalNames<F extends Fields> = { [N in keyof F]: F[N] extends Field<unknown, true> ? N : never }[keyof F];

/** The TypeScript type of an object with these members. */
export type MembersOf<F extends Fields> = Flat<
  { readonly [N in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[N]> } & {
    readonly [N in OptionalNames<F>]?: ValueOf<F[N]>;
  }
>;

/** One object type instead of an intersection, so that editors and error messages show the members. */
export type Flat<T> = { [N in keyof T]: T[N] };

/** Makes a required field of a type from its schema. */
export function fieldOf<T>(make: () => JsonSchema): Field<T, false> {
  return withPresence<T, false>(make, false);
}

function withPresence<T, Optional extends boolean>(make: () => JsonSchema, isOptional: Optional): Field<T, Optional> {
  let made: JsonSchema | undefined;
  const schema = () => (made ??= make());
  return {
    isOptional,
    schema,
    describe: (description) => withPresence(() => ({ ...schema(), description }), isOptional),
    optional: () => withPresence(schema, true),
    nullable: () => withPresence(() => ({ ...schema(), nullable: true }), isOptional),
  };
}
