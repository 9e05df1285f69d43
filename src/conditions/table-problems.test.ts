import { expect, test } from "vitest";
import { tableProblems } from "./table-problems.ts";
import {
  type ConditionTable,
  defineCondition,
  False,
  finds,
  holds,
  lastKnown,
  nothing,
  otherwise,
  row,
  True,
} from "./table.ts";

const ensure = nothing("a lamp cannot be helped");
const dark = row({ id: "dark", when: holds("it is dark", () => true), ensure, report: False("Dark") });
const unseen = row({ id: "unseen-keep", when: holds("nobody looked", () => true), ensure, report: lastKnown });

const Lit = defineCondition({
  of: "Lamp",
  type: "Lit",
  summary: "Whether a lamp is lit.",
  reasons: ["Fine", "Dark"],
  rows: [dark, unseen],
  otherwise: otherwise({ id: "lit", when: "otherwise", ensure, report: True("Fine") }),
});

test("a good table has no problems", () => {
  expect(tableProblems(Lit)).toEqual([]);
});

test.each<[string, Partial<ConditionTable<unknown>>, readonly string[]]>([
  ["a row that is declared twice", { rows: [...Lit.rows, dark] }, ["row dark is declared twice"]],
  [
    "a row that is not named in kebab-case",
    { rows: [...Lit.rows, { ...dark, id: "Dark2" }] },
    ["row Dark2 is not named in kebab-case"],
  ],
  [
    "a row without words",
    { rows: [...Lit.rows, { ...dark, id: "mute", when: "" }] },
    ["row mute does not say when it holds"],
  ],
  [
    "a row that keeps the status and does not say so",
    { rows: [...Lit.rows, { ...unseen, id: "unseen" }] },
    ["row unseen keeps the status, so its id must end in -keep"],
  ],
  [
    "a row that says that it keeps the status and does not",
    { rows: [...Lit.rows, { ...dark, id: "dark-keep" }] },
    ["row dark-keep sets the status, so its id must not end in -keep"],
  ],
  [
    "a row that cannot be printed",
    {
      rows: [
        ...Lit.rows,
        row({
          id: "odd",
          when: finds("always", () => ({ names: ["a"] })),
          ensure,
          report: (lamp) => False("Dark", [...lamp.names].join(", ")),
        }),
      ],
    },
    ["row odd cannot be printed: lamp.names is not iterable"],
  ],
  ["a reason that no row uses", { reasons: ["Fine", "Dark", "Odd"] }, ["reason Odd is not used"]],
  ["a reason that is not declared", { reasons: ["Fine"] }, ["reason Dark is not declared"]],
])("%s is a problem", (_, change, problems) => {
  expect(tableProblems<unknown, string, string>({ ...Lit, ...change })).toEqual(problems);
});
