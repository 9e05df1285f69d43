import { deepEqual } from "../equal.ts";
import { FieldPath } from "../field-path.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { isNonStructural } from "../schema/structural/check-structural.ts";
import { defaultErrors } from "../schema/structural/default-checks.ts";
import { hasPartialSetItems, mapKeyErrors } from "../schema/structural/list-rules.ts";
import { someSchema } from "../schema/structural/subschemas.ts";
import { bundleErrors, hasKnownReview } from "./conversion-checks.ts";
import { type CustomResourceDefinition, hasCondition } from "./definition.ts";
import { internalForm } from "./internal-form.ts";
import { isTooLong } from "./selectable-fields.ts";

/** Which rules a definition is held to. One that broke a rule before it was made may go on breaking it. */
export interface Rules {
  readonly namesAreFixed: boolean;
  readonly requireSchemas: boolean;
  readonly requireStructural: boolean;
  readonly requireKnownTypes: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapKeys: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireKnownReview: boolean;
  readonly allowBrokenBundle: boolean;
  /** The versions whose lists of selectable fields may stay too long; `""` for the list they have in common. */
  readonly tooManySelectable: ReadonlySet<string>;
}

/** What holds for new definitions. Certificates are not looked at before anybody can rely on them. */
export const firmRules: Rules = {
  namesAreFixed: false,
  requireSchemas: true,
  requireStructural: true,
  requireKnownTypes: true,
  requireAtomicSets: true,
  requireMapKeys: true,
  requirePrunedDefaults: true,
  requireKnownReview: true,
  allowBrokenBundle: true,
  tooManySelectable: new Set(),
};

const types = ["array", "boolean", "integer", "number", "object", "string"];

/** What holds for a definition that is there already. */
export function rulesAfter(old: CustomResourceDefinition, next: CustomResourceDefinition): Rules {
  const schemas = old.spec.versions
    .map(({ schema }) => schema?.openAPIV3Schema)
    .filter((schema) => schema !== undefined);
  const never = (isSuch: (schema: JsonSchema) => boolean): boolean =>
    !schemas.some((schema) => someSchema(schema, isSuch));
  const webhook = old.spec.conversion?.webhook;
  return {
    namesAreFixed: hasCondition(old, "Established"),
    requireSchemas: schemas.length === old.spec.versions.length,
    requireStructural: !schemas.some((schema) => isNonStructural(schema, FieldPath.root)),
    requireKnownTypes: never(({ type = "" }) => type !== "" && !types.includes(type)),
    requireAtomicSets: never(hasPartialSetItems),
    requireMapKeys: never((schema) => mapKeyErrors(schema, FieldPath.root).length > 0),
    requirePrunedDefaults: !schemas.some(hasUnprunedDefaults),
    requireKnownReview: hasKnownReview(webhook?.conversionReviewVersions ?? []),
    allowBrokenBundle: allowsBrokenBundle(old),
    tooManySelectable: tooManySelectable(old, next),
  };
}

function hasUnprunedDefaults(schema: JsonSchema): boolean {
  if (isNonStructural(schema, FieldPath.root)) return false;
  const errors = defaultErrors(schema, FieldPath.root, { requirePruned: true, root: "resource" });
  return errors.some(({ detail }) => detail === "must not have unknown fields");
}

function allowsBrokenBundle(old: CustomResourceDefinition): boolean {
  if (!hasCondition(old, "Established")) return true;
  const bundle = old.spec.conversion?.webhook?.clientConfig?.caBundle ?? "";
  return bundle !== "" && bundleErrors(bundle, FieldPath.root).length > 0;
}

function tooManySelectable(old: CustomResourceDefinition, next: CustomResourceDefinition): ReadonlySet<string> {
  const [before, after] = [internalForm(old.spec), internalForm(next.spec)];
  const names = after.versions
    .filter(({ name, selectableFields }) => {
      const was = before.versions.find((version) => version.name === name)?.selectableFields;
      return isTooLong(was) && deepEqual(was, selectableFields);
    })
    .map(({ name }) => name);
  const wasCommon = before.common.selectableFields;
  const common = isTooLong(wasCommon) && deepEqual(wasCommon, after.common.selectableFields);
  return new Set(common ? ["", ...names] : names);
}
