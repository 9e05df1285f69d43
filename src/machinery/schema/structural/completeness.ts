import { type FieldError, required } from "../../field-error.ts";
import type { FieldPath } from "../../field-path.ts";
import type { JsonSchema } from "../json-schema.ts";
import { itemsOf, sortedProperties } from "./subschemas.ts";

/** The two places of a check: where the structure is described, and the branch that restricts it. */
interface Paths {
  readonly structure: FieldPath;
  readonly branch: FieldPath;
}

/** Whatever the branches at the root restrict has to be described outside of them as well. */
export function completenessErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  return branchesErrors(schema, schema, { structure: path, branch: path });
}

function branchesErrors(branching: JsonSchema, structure: JsonSchema, paths: Paths): readonly FieldError[] {
  const { not, allOf = [], anyOf = [], oneOf = [] } = branching;
  const below = (name: string, list: readonly JsonSchema[]): readonly FieldError[] =>
    list.flatMap((branch, index) => {
      const at = { ...paths, branch: paths.branch.child(name).index(index) };
      return branchErrors(branch, structure, at);
    });
  return [
    ...(not === undefined ? [] : branchErrors(not, structure, { ...paths, branch: paths.branch.child("not") })),
    ...below("allOf", allOf),
    ...below("anyOf", anyOf),
    ...below("oneOf", oneOf),
  ];
}

function branchErrors(branch: JsonSchema, structure: JsonSchema | undefined, paths: Paths): readonly FieldError[] {
  if (structure === undefined) {
    return [required(paths.structure, `because it is defined in ${paths.branch.toString()}`)];
  }
  const items = itemsOf(branch);
  return [
    ...branchesErrors(branch, structure, paths),
    ...(items === undefined
      ? []
      : branchErrors(
          items,
          itemsOf(structure),
          childPaths(paths, (at) => at.child("items")),
        )),
    ...sortedProperties(branch).flatMap(([name, property]) => {
      const described = Object.hasOwn(structure.properties ?? {}, name) ? structure.properties?.[name] : undefined;
      return branchErrors(
        property,
        described,
        childPaths(paths, (at) => at.child("properties").key(name)),
      );
    }),
  ];
}

function childPaths({ structure, branch }: Paths, step: (path: FieldPath) => FieldPath): Paths {
  return { structure: step(structure), branch: step(branch) };
}
