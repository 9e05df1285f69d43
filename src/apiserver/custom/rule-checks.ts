import { compileRules } from "#cel";
import { type FieldError, type FieldErrorType, invalid, type Json, type JsonSchema } from "#machinery";

/** What was found so far, and what the rules of a schema find. */
export type RuleChecks = (object: Json, old: Json | undefined, found: readonly FieldError[]) => readonly FieldError[];

// An object that is wrong in one of these ways may not be what the rules were written for.
const blocking: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const notChecked =
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/** The rules in CEL of a schema, asked of objects that are sound enough for them. */
export function ruleChecks(structure: JsonSchema): RuleChecks {
  const rules = compileRules(structure);
  if (rules.isEmpty) return (_object, _old, found) => found;
  return (object, old, found) => {
    if (found.some(({ type }) => blocking.has(type))) return [...found, invalid("<nil>", null, notChecked)];
    const broken = rules.validate(object, old === undefined ? {} : { oldValue: old });
    return broken.length === 0 ? found : [...found, ...broken];
  };
}
