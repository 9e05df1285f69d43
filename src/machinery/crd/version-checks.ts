import { type FieldError, invalid, PrintedValue } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { checkStructural, type StructuralOptions } from "../schema/structural/check-structural.ts";
import { columnErrors, scaleErrors } from "./column-checks.ts";
import type { DefinitionVersion } from "./definition.ts";
import type { VersionParts } from "./internal-form.ts";
import { selectableErrors } from "./selectable-fields.ts";

/** How strictly the parts of a version are checked. */
export interface PartOptions extends StructuralOptions {
  readonly allowTooManySelectable: boolean;
}

/** What is wrong with what a version has for itself. */
export function versionErrors(
  version: DefinitionVersion,
  path: FieldPath,
  options: PartOptions,
): readonly FieldError[] {
  const { selectableFields = [], schema } = version;
  const at = path.child("selectableFields");
  const missing = "may only be set when `version.schema.openAPIV3Schema` is not included";
  return [
    ...deprecationErrors(version, path.child("deprecationWarning")),
    ...partErrors(version, path, { ...options, schemaAt: path.child("schema") }),
    ...(selectableFields.length > 0 && schema?.openAPIV3Schema === undefined ? [invalid(at, "", missing)] : []),
  ];
}

/** What is wrong with what all versions have in common. */
export function commonErrors(common: VersionParts, path: FieldPath, options: PartOptions): readonly FieldError[] {
  const { selectableFields = [], schema } = common;
  const missing = "may only be set when validations.schema is included";
  return [
    ...partErrors(common, path, { ...options, schemaAt: path.child("validation") }),
    ...(selectableFields.length > 0 && schema === undefined
      ? [invalid(path.child("selectableFields"), "", missing)]
      : []),
  ];
}

function partErrors(
  parts: VersionParts,
  path: FieldPath,
  options: PartOptions & { readonly schemaAt: FieldPath },
): readonly FieldError[] {
  const { schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = parts;
  const root = schema?.openAPIV3Schema;
  const selectable = { path: path.child("selectableFields"), allowTooMany: options.allowTooManySelectable };
  return [
    ...(root === undefined ? [] : checkStructural(root, options.schemaAt.child("openAPIV3Schema"), options)),
    ...(subresources?.scale === undefined ? [] : scaleErrors(subresources.scale, path.child("subresources"))),
    ...additionalPrinterColumns.flatMap((column, index) =>
      columnErrors(column, path.child("additionalPrinterColumns").index(index)),
    ),
    ...(root === undefined ? [] : selectableErrors(selectableFields, root, selectable)),
  ];
}

function deprecationErrors(
  { deprecated, deprecationWarning }: DefinitionVersion,
  path: FieldPath,
): readonly FieldError[] {
  if (deprecationWarning === undefined) return [];
  const printed = new PrintedValue(JSON.stringify(deprecationWarning));
  if (deprecated !== true) return [invalid(path, printed, "can only be set for deprecated versions")];
  const strange = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(deprecationWarning);
  const bytesBefore = Buffer.byteLength(deprecationWarning.slice(0, strange?.index ?? 0));
  const problems = [
    ...(Buffer.byteLength(deprecationWarning) > 256 ? ["must be <= 256 characters long"] : []),
    ...(deprecationWarning === "" ? ["must not be an empty string"] : []),
    ...(strange === null
      ? []
      : [`must only contain printable UTF-8 characters; non-printable character found at index ${bytesBefore}`]),
  ];
  return problems.map((problem) => invalid(path, printed, problem));
}
