import type { ClusterClassStatusVariable, ClusterClassVariable } from "#api";
import { compareText } from "#conditions";
import { deepEqual, isJsonObject, type Json } from "#machinery";
import { withoutEmptyKeywords, withoutFalseFlags } from "./schema-nodes.ts";

/** The variables of a ClusterClass from all who define them, and where they do not agree. */
export class Definitions {
  readonly #variables = new Map<string, Defined>();

  /** Takes the variables that the class itself defines; of two with one name the later counts. */
  addInline(variables: readonly ClusterClassVariable[]): void {
    for (const variable of variables) this.#variables.set(variable.name, defined("inline", variable));
  }

  /** Takes the variables that the extension of a patch defines. */
  add(patch: string, variables: readonly ClusterClassVariable[]): void {
    for (const variable of variables) {
      const known = this.#variables.get(variable.name);
      this.#variables.set(
        variable.name,
        known === undefined ? defined(patch, variable) : joined(known, definition(patch, variable)),
      );
    }
  }

  /** All variables in the order of their names, as the status of a class holds them. */
  sorted(): readonly ClusterClassStatusVariable[] {
    return [...this.#variables.values()]
      .toSorted((a, b) => compareText(a.name, b.name))
      .map((variable) => ({ ...variable, definitions: variable.definitions.map(stored) }));
  }
}

/** The names of variables that are defined in different ways. */
export function conflictsIn(variables: readonly ClusterClassStatusVariable[]): readonly string[] {
  return variables.filter(({ definitionsConflict }) => definitionsConflict === true).map(({ name }) => name);
}

type Definition = ClusterClassStatusVariable["definitions"][number];

interface Defined extends ClusterClassStatusVariable {
  readonly definitionsConflict: boolean;
}

function defined(from: string, variable: ClusterClassVariable): Defined {
  return { name: variable.name, definitionsConflict: false, definitions: [definition(from, variable)] };
}

function definition(from: string, variable: ClusterClassVariable): Definition {
  const { name: _, ...rest } = variable;
  return { from, ...rest };
}

/** All are compared with the first, and once two differ nothing is compared any more. */
function joined({ name, definitionsConflict, definitions }: Defined, added: Definition): Defined {
  const [first = added] = definitions;
  return {
    name,
    definitionsConflict: definitionsConflict || !isSame(first, added),
    definitions: [...definitions, added],
  };
}

function isSame(a: Definition, b: Definition): boolean {
  return (
    // An extension may leave it out, whatever the type says.
    (a.required ?? false) === (b.required ?? false) &&
    deepEqual(a.deprecatedV1Beta1Metadata, b.deprecatedV1Beta1Metadata) &&
    deepEqual(withoutFalseFlags(schemaOf(a)), withoutFalseFlags(schemaOf(b)))
  );
}

function stored(one: Definition): Definition {
  const schema = withoutEmptyKeywords(schemaOf(one));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema with fewer keywords is still one
  return { ...one, schema: { openAPIV3Schema: schema as unknown as Definition["schema"]["openAPIV3Schema"] } };
}

function schemaOf({ schema: { openAPIV3Schema } }: Definition): Json {
  const schema: unknown = openAPIV3Schema;
  return isJsonObject(schema) ? schema : {};
}
