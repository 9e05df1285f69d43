import type { ClusterClassStatusVariable, ClusterVariable } from "#api";
import { joinMessages, quote } from "#base";
import { encodeJson, type FieldError, type FieldPath, invalid, required, typeInvalid } from "#machinery";
import { compileDefinition, type CompiledDefinition } from "./compiled-definition.ts";

/** The value of a variable; v1beta1 had a field that must not be set any more. */
export interface VariableValue extends ClusterVariable {
  readonly definitionFrom?: string;
}

/** The definitions of variables that values are measured by, as the status of a class holds them. */
export type VariableDefinitions = readonly ClusterClassStatusVariable[];

/** Values with their defaults, or what is wrong with them. */
export type FilledValues =
  | { readonly kind: "filled"; readonly values: readonly VariableValue[] }
  | { readonly kind: "refused"; readonly errors: readonly FieldError[] };

/** Fills in defaults. Variables that are not set at all get theirs only where `create` says so: overrides do not. */
export function fillInValues(
  values: readonly VariableValue[],
  definitions: VariableDefinitions,
  { path, create }: { readonly path: FieldPath; readonly create: boolean },
): FilledValues {
  const problems = firstOf([valueListErrors(values, path), definitionListErrors(definitions, path)]);
  if (problems !== undefined) return { kind: "refused", errors: problems };
  const known = indexed(definitions);
  const errors: FieldError[] = [];
  const filled: VariableValue[] = [];
  for (const value of values) {
    const definition = known.get(value.name);
    if (definition === undefined) errors.push(notDefined(value, path));
    else filled.push({ name: value.name, value: definition.fillIn(value.value) });
  }
  const set = new Set(values.map(({ name }) => name));
  for (const { name } of create ? definitions : []) {
    const definition = known.get(name);
    if (set.has(name) || definition?.default === undefined) continue;
    filled.push({ name, value: definition.fillIn(null) });
  }
  return errors.length > 0 ? { kind: "refused", errors } : { kind: "filled", values: filled };
}

/** How values are measured. */
export interface ValueOptions {
  readonly path: FieldPath;
  /** The values before the change. */
  readonly old: readonly VariableValue[];
  /** Whether required variables must be set; overrides need not set them again. */
  readonly complete: boolean;
}

/** Everything wrong with values: required ones that are missing, then one value after the other. */
export function validateValues(
  values: readonly VariableValue[],
  definitions: VariableDefinitions,
  { path, old, complete }: ValueOptions,
): readonly FieldError[] {
  const lists = [valueListErrors(values, path), valueListErrors(old, path), definitionListErrors(definitions, path)];
  const problems = firstOf(lists);
  if (problems !== undefined) return problems;
  const known = indexed(definitions);
  const before = new Map(old.map(({ name, value }) => [name, value]));
  return [
    ...(complete ? missingErrors(values, definitions, path) : []),
    ...values.flatMap((value) => {
      const definition = known.get(value.name);
      if (definition === undefined) return [notDefined(value, path)];
      return definition.validate(value.value, { path: path.key(value.name), old: before.get(value.name) });
    }),
  ];
}

function firstOf(lists: readonly (readonly FieldError[])[]): readonly FieldError[] | undefined {
  return lists.find((errors) => errors.length > 0);
}

function missingErrors(
  values: readonly VariableValue[],
  definitions: VariableDefinitions,
  path: FieldPath,
): readonly FieldError[] {
  const set = new Set(values.map(({ name }) => name));
  return definitions
    .filter(({ name, definitions: [first] }) => first?.required === true && !set.has(name))
    .map(({ name }) => required(path, `required variable ${quote(name)} must be set`));
}

function notDefined({ name, value }: VariableValue, path: FieldPath): FieldError {
  return invalid(path.key(name), encodeJson(value), "variable is not defined");
}

const deprecation =
  "DefinitionFrom is deprecated, must not be set anymore and is going to be removed in the next apiVersion";

/** What is wrong with a list of values, whatever they are. */
function valueListErrors(values: readonly VariableValue[], path: FieldPath): readonly FieldError[] {
  const seen = new Set<string>();
  return values.flatMap(({ name, value, definitionFrom = "" }) => {
    const refuse = (why: string): FieldError =>
      invalid(path.key(name), encodeJson(value), `variable ${quote(name)} ${why}`);
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(definitionFrom === "" ? [] : [refuse(`has DefinitionFrom set. ${deprecation}`)]),
      ...(isRepeated ? [refuse("is set more than once")] : []),
    ];
  });
}

/** Definitions that nothing can be measured by: none, or several that do not agree. */
function definitionListErrors(definitions: VariableDefinitions, path: FieldPath): readonly FieldError[] {
  const problems = definitions.flatMap(({ name, definitions: own, definitionsConflict }) => [
    ...(own.length === 0 ? [`variable ${quote(name)} has no definitions`] : []),
    ...(definitionsConflict === true ? [`variable ${quote(name)} has conflicting definitions`] : []),
  ]);
  if (problems.length === 0) return [];
  const names = definitions.map(({ name }) => `Name: ${name}`).join(",");
  const detail = `variable definitions in the ClusterClass not valid: ${joinMessages(problems)}`;
  return [typeInvalid(path, `[${names}]`, detail)];
}

/** Where several define a variable, they agree, so that the first speaks for all. */
function indexed(definitions: VariableDefinitions): ReadonlyMap<string, CompiledDefinition> {
  return new Map(
    definitions.flatMap(({ name, definitions: [first] }) =>
      first === undefined ? [] : [[name, compileDefinition(name, first.schema)] as const],
    ),
  );
}
