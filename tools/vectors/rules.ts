import type { Rules } from "./compare.ts";
import type { VectorCase, VectorFile } from "./vector-file.ts";

const inOrder = { conditions: "in-order" } as const;
const exact = { conditions: "in-order", times: "always" } as const;

/** What differs from the common rules, by file and operation; `*` stands for every operation. */
const exceptions: Readonly<Record<string, Readonly<Record<string, Partial<Rules>>>>> = {
  "clustercache.json": { sendEventsToClusterSources: { sets: ["controllers"] } },
  "conditions-merge.json": { sortConditions: inOrder, splitConditionsByPriority: inOrder },
  "conditions-set-patch.json": { set: exact },
  "nodeready.json": { "*": inOrder },
  "rollingout.json": { "*": inOrder },
  "runtime-discovery.json": { callAllExtensions: { sets: ["messageParts"] } },
};

/** How the answers to a case are compared. */
export function rulesFor(file: VectorFile, { op }: VectorCase): Rules {
  const ofFile = exceptions[file.name] ?? {};
  return {
    conditions: file.ofTwoVersions ? "in-order" : "by-type",
    times: "where-expected",
    sets: [],
    ...ofFile["*"],
    ...ofFile[op],
  };
}

const tagsThatDoNotBind: Readonly<Record<string, string>> = {
  "upstream-quirk": "a quirk of the reference that need not be repeated",
  "invalid-raw-json": "raw bytes that are no JSON are not modelled",
};

// D13: the reference fails to build types for rules at the root of an array; here they are evaluated.
const arrayRootTexts = ["failed to convert to declType", "unable to convert structural schema to CEL declarations"];

/** Why a different answer to a case is no failure; undefined where the case binds. */
export function whyNotBinding(file: VectorFile, vector: VectorCase): string | undefined {
  const tag = vector.tags.find((name) => Object.hasOwn(tagsThatDoNotBind, name));
  if (tag !== undefined) return tagsThatDoNotBind[tag];
  if (file.name !== "variable-validation.json") return undefined;
  const text = JSON.stringify(vector.expected);
  return arrayRootTexts.some((part) => text.includes(part))
    ? "D13: rules at the root of an array variable are evaluated"
    : undefined;
}
