import { parseTimestamp, type Timestamp } from "#base";
import {
  aggregateCondition,
  aggregateMessages,
  applyConditionChanges,
  compareTexts,
  compareTypes,
  conditionChanges,
  defaultPriority,
  deleteCondition,
  mergeStrategy,
  mirrorCondition,
  nameOrder,
  readCondition,
  readConditions,
  reasons,
  setCondition,
  sortForMerge,
  splitByPriority,
  summaryCondition,
  summaryMessages,
  type WeighedText,
} from "#conditions";
import { fieldAt } from "#machinery";
import {
  conditionFrom,
  ownedFrom,
  type RecordedInputs,
  type RecordedStrategy,
  sourceFrom,
} from "./recorded-conditions.ts";
import { withoutNulls } from "./recorded.ts";

interface Context {
  readonly now?: string;
  /** The whole case: the pairs to be ordered stand only in its expectation. */
  readonly case?: { readonly expected: unknown };
}

type Operations = { readonly [Op in keyof RecordedInputs]: (input: RecordedInputs[Op], context: Context) => unknown };

const operations: Operations = {
  set: ({ generation = 0, conditions: present = [], set, now }, context) => ({
    conditions: setCondition(present.map(conditionFrom), conditionFrom(set), { generation, now: timeOf(now, context) }),
  }),
  delete: ({ conditions: present = [], delete: types }) => ({
    types: types.reduce(deleteCondition, present.map(conditionFrom)).map(({ type }) => type),
  }),
  newPatch: (lists) => ({ patch: changesBetween(lists) }),
  patchApply: ({ latest, options, now, ...lists }, context) => ({
    conditions: applyConditionChanges(changesBetween(lists), latest?.map(conditionFrom), {
      ...options,
      now: timeOf(now, context),
    }),
  }),

  mirror: ({ object, sourceConditionType, options: { fallbackCondition, ...options } = {} }) => ({
    condition: mirrorCondition(sourceFrom(object).conditions, sourceConditionType, {
      ...options,
      ...(fallbackCondition?.status === undefined ? {} : { fallbackCondition: conditionFrom(fallbackCondition) }),
    }),
  }),
  aggregate: ({ objects, sourceConditionType, options: { mergeStrategy: own, ...options } = {} }) => ({
    condition: aggregateCondition(objects.map(sourceFrom), sourceConditionType, { ...options, ...strategyFrom(own) }),
  }),
  summary: ({ object, targetConditionType, options = {} }) => {
    const { mergeStrategy: own, forConditionTypes = [], overrideConditions = [], ...rest } = options;
    return {
      condition: summaryCondition(sourceFrom(object), targetConditionType, {
        ...rest,
        forConditionTypes,
        overrideConditions: overrideConditions.map(conditionFrom),
        ...strategyFrom(own),
      }),
    };
  },

  defaultMergePriority: ({ condition, negativePolarityConditionTypes = [] }) => ({
    priority: defaultPriority(negativePolarityConditionTypes)(conditionFrom(condition)),
  }),
  summaryMessage: ({ conditions: all, status, negativePolarityConditionTypes = [] }) => ({
    message: summaryMessages(all.map(ownedFrom), defaultPriority(negativePolarityConditionTypes), status).join("\n"),
  }),
  aggregateMessages: ({ conditions: all, n, dropEmpty = false, ...rest }) => {
    const { negativePolarityConditionTypes = [], otherMessages: others = {} } = rest;
    const priority = defaultPriority(negativePolarityConditionTypes);
    const { lines, left } = aggregateMessages(all.map(ownedFrom), { most: n, dropEmpty, priority, others });
    return { messages: lines, n: left };
  },
  sortConditions: ({ conditions: all, orderedConditionTypes }) => ({
    conditions: sortForMerge(all.map(ownedFrom), orderedConditionTypes),
  }),
  splitConditionsByPriority: ({ conditions: all, negativePolarityConditionTypes = [] }) =>
    splitByPriority(all.map(ownedFrom), defaultPriority(negativePolarityConditionTypes)),

  sortMessage: ({ mustGoFirst, priorities, objects }, context) => {
    const weighed = (message: string): WeighedText => ({
      first: mustGoFirst[message] === true,
      priority: priorities[message] ?? "issue",
      reporters: objects[message] ?? [],
      names: (objects[message] ?? []).join(","),
    });
    return orderedPairs((a, b) => compareTexts(weighed(a), weighed(b)), context);
  },
  sortObj: ({ controlPlaneMachines }, context) => orderedPairs(nameOrder(new Set(controlPlaneMachines)), context),
  defaultSort: ({ types }) => ({ types: types.toSorted(compareTypes) }),

  unstructuredGetAll: ({ object }) => ({ conditions: readConditions(object) }),
  unstructuredGet: ({ object, conditionType }) => ({ condition: readCondition(object, conditionType) ?? null }),
};

/** Adapters for every operation on conditions, by its name. */
export const conditions: Readonly<Record<string, (input: unknown, context: Context) => unknown>> = Object.fromEntries(
  Object.entries(operations).map(([op, run]) => [
    op,
    (input: unknown, context: Context) =>
      // Inside of an untyped object, telling null from absent is the reader's task.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the files of vectors fix the shape of each input
      run((op.startsWith("unstructured") ? input : withoutNulls(input)) as never, context),
  ]),
);

function timeOf(now: Timestamp | undefined, context: Context): Timestamp {
  if (now !== undefined) return now;
  if (context.now === undefined) throw new TypeError("neither the case nor its file says what time it is");
  return parseTimestamp(context.now);
}

function changesBetween({ before, after }: RecordedInputs["newPatch"]) {
  return conditionChanges(before?.map(conditionFrom), after?.map(conditionFrom));
}

function strategyFrom(strategy: RecordedStrategy | undefined) {
  if (strategy === undefined) return {};
  const { targetConditionHasPositivePolarity: positive, priorityNegativePolarityTypes = [], reasons: own } = strategy;
  const lowers = strategy.summaryMessageTransform === "toLowerCase";
  return {
    mergeStrategy: mergeStrategy({
      priority: defaultPriority(priorityNegativePolarityTypes),
      ...(positive === undefined ? {} : { targetHasPositivePolarity: positive }),
      ...(own === undefined ? {} : { reason: reasons(own.issue, own.unknown, own.info) }),
      ...(lowers ? { summaryMessageTransform: (entries) => entries.map((entry) => entry.toLowerCase()) } : {}),
    }),
  };
}

/** Says of each pair of the expectation which of the two comes first. */
function orderedPairs(compare: (a: string, b: string) => number, context: Context): unknown {
  const pairs = fieldAt(context.case?.expected, "pairs");
  if (!Array.isArray(pairs)) throw new TypeError("the case has no pairs");
  return {
    pairs: pairs.map((pair: unknown) => {
      const [i, j] = [String(fieldAt(pair, "i")), String(fieldAt(pair, "j"))];
      return { i, j, less: compare(i, j) < 0 };
    }),
  };
}
