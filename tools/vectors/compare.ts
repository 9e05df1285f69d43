import { isJsonObject } from "#machinery";

/** What may differ between an expectation and an answer. */
export interface Rules {
  /** Whether conditions in a list are found by their type or by their place. */
  readonly conditions: "by-type" | "in-order";
  /** Whether the time of a condition counts always or only where the expectation has one. */
  readonly times: "where-expected" | "always";
  /** Members that are sets: their order does not count. */
  readonly sets: readonly string[];
}

/** One place where an answer is not what was expected. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Members = Readonly<Record<string, unknown>>;

// What a condition means when it says nothing.
const silentCondition: Members = { reason: "", message: "", severity: "", observedGeneration: 0 };

/** Compares an answer with its expectation, member by member. Empty and absent lists and maps are equal. */
export function compare(expected: unknown, actual: unknown, rules: Rules): readonly Difference[] {
  return differences({ path: "", expected, actual }, rules);
}

function differences(at: Difference, rules: Rules): readonly Difference[] {
  const { path, expected, actual } = at;
  if (isNothing(expected) && isNothing(actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) return differentItems(path, [expected, actual], rules);
  if (isJsonObject(expected) && isJsonObject(actual)) return differentMembers(path, [expected, actual], rules);
  return Object.is(expected, plainNumber(actual)) ? [] : [at];
}

function differentItems(path: string, lists: readonly [unknown[], unknown[]], rules: Rules): readonly Difference[] {
  const byType = rules.conditions === "by-type" && lists.flat().every(isCondition);
  const member = path.slice(path.lastIndexOf(".") + 1);
  const isSet = rules.sets.includes(member) || member.endsWith("Sorted");
  const [expected, actual] = byType ? lists.map(sortedByType) : isSet ? lists.map(sortedByText) : lists;
  const length = Math.max(...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => index).flatMap((index) =>
    differences({ path: `${path}[${index}]`, expected: expected?.[index], actual: actual?.[index] }, rules),
  );
}

function differentMembers(path: string, pair: readonly [Members, Members], rules: Rules): readonly Difference[] {
  const [expected, actual] = isCondition(pair[0]) && isCondition(pair[1]) ? spokenConditions(pair, rules) : pair;
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) => {
    const at = { path: path === "" ? key : `${path}.${key}`, expected: expected[key], actual: actual[key] };
    if (key === "errorPrefix") return [];
    if (key === "error") return differentError(at, expected["errorPrefix"]);
    return differences(at, rules);
  });
}

/** `true`: it must fail, somehow. `false` and nothing: it must not. A prefix: the rest is another runtime's text. */
function differentError(at: Difference, prefix: unknown): readonly Difference[] {
  const { expected, actual } = at;
  const failed = !(isNothing(actual) || actual === false || actual === "");
  if (typeof prefix === "string") {
    const begins = typeof actual === "string" && actual.startsWith(prefix);
    return begins ? [] : [{ ...at, expected: `${prefix}…` }];
  }
  if (expected === true) return failed ? [] : [at];
  if (isNothing(expected) || expected === false) return failed ? [at] : [];
  return expected === actual ? [] : [at];
}

/** Both conditions with what they leave unsaid, without times that do not count. */
function spokenConditions(pair: readonly [Members, Members], rules: Rules): readonly [Members, Members] {
  const timeCounts = rules.times === "always" || !isNothing(pair[0]["lastTransitionTime"]);
  const spoken = ({ lastTransitionTime, ...condition }: Members): Members => ({
    ...silentCondition,
    ...Object.fromEntries(Object.entries(condition).filter(([, value]) => !isNothing(value))),
    ...(timeCounts ? { lastTransitionTime } : {}),
  });
  return [spoken(pair[0]), spoken(pair[1])];
}

function isCondition(value: unknown): value is Members {
  return (
    isJsonObject(value) &&
    typeof value["type"] === "string" &&
    (value["status"] === "True" || value["status"] === "False" || value["status"] === "Unknown")
  );
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every((member) => member === undefined);
}

/** JSON has one kind of number; costs that need more bits are compared as it rounds them. */
function plainNumber(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

function sortedByType(list: readonly unknown[]): readonly unknown[] {
  return sortedBy(list, (value) => (isCondition(value) ? String(value["type"]) : ""));
}

function sortedByText(list: readonly unknown[]): readonly unknown[] {
  return sortedBy(list, (value) => JSON.stringify(value) ?? "");
}

function sortedBy(list: readonly unknown[], key: (value: unknown) => string): readonly unknown[] {
  return list.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
