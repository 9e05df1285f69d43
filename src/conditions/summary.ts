import { type Condition, findCondition, notYetReported } from "./condition.ts";
import { ConditionInputError } from "./errors.ts";
import { mergeStrategy, type MergeStrategy } from "./merge.ts";
import { defaultPriority } from "./priority.ts";
import type { ConditionSource } from "./source.ts";

/** Which conditions of an object are summed up, and how. */
export interface SummaryConditionOptions {
  readonly forConditionTypes: readonly string[];
  readonly negativePolarityConditionTypes?: readonly string[];
  readonly ignoreTypesIfMissing?: readonly string[];
  /** Conditions to use instead of those on the object. */
  readonly overrideConditions?: readonly Condition[];
  readonly mergeStrategy?: MergeStrategy;
}

/** One condition out of several conditions of one object. */
export function summaryCondition(
  source: ConditionSource,
  targetType: string,
  options: SummaryConditionOptions,
): Condition {
  const { forConditionTypes: types, overrideConditions: overrides = [] } = options;
  if (types.length === 0) throw new ConditionInputError("forConditionTypes can't be empty");
  if (types.includes(targetType)) {
    throw new ConditionInputError(`forConditionTypes can't contain the target condition ${targetType}`);
  }
  for (const { type } of overrides) {
    if (overrides.filter((override) => override.type === type).length > 1) {
      throw new ConditionInputError(`condition ${type} is overridden more than once`);
    }
    if (findCondition(source.conditions, type) === undefined) {
      throw new ConditionInputError(`condition ${type} is overridden but does not exist on ${source.owner.name}`);
    }
  }

  const inScope = [...reported(source, types, overrides), ...missing(source, options)];
  if (inScope.length === 0)
    throw new ConditionInputError("summary can't be performed when the list of conditions is empty");
  const strategy =
    options.mergeStrategy ?? mergeStrategy({ priority: defaultPriority(options.negativePolarityConditionTypes ?? []) });
  const conditions = inScope.map((condition) => ({ ...condition, owner: source.owner }));
  return { type: targetType, ...strategy.merge("summary", conditions, types) };
}

function reported(
  { conditions }: ConditionSource,
  types: readonly string[],
  overrides: readonly Condition[],
): readonly Condition[] {
  return conditions
    .filter(({ type }) => types.includes(type))
    .map((condition) => findCondition(overrides, condition.type) ?? condition);
}

function missing({ conditions }: ConditionSource, options: SummaryConditionOptions): readonly Condition[] {
  const ignored = new Set(options.ignoreTypesIfMissing);
  return [...new Set(options.forConditionTypes)]
    .filter((type) => !ignored.has(type) && findCondition(conditions, type) === undefined)
    .map((type) => ({ type, status: "Unknown", reason: notYetReported, message: "Condition not yet reported" }));
}
