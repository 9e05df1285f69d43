import { describeError, parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import { conditionOf, decide, nameOf, spelled } from "./decide.ts";
import { ConditionTableError } from "./errors.ts";
import {
  defineCondition,
  False,
  finds,
  holds,
  lastKnown,
  mirrored,
  nothing,
  otherwise,
  row,
  True,
  Unknown,
} from "./table.ts";

interface Lamp {
  readonly seen: boolean;
  readonly watts: number | null;
}

const ensure = nothing("a lamp cannot be helped");
const noon = parseTimestamp("2025-01-15T12:00:00Z");

const Lit = defineCondition({
  of: "Lamp",
  type: "Lit",
  summary: "Whether a lamp is lit.",
  reasons: ["LampLit", "LampDark"],
  documented: { LampDark: "Dark" },
  rows: [
    row({ id: "unseen-keep", when: holds("nobody looked", ({ seen }: Lamp) => !seen), ensure, report: lastKnown }),
    row({
      id: "dark",
      when: finds("there is no light", ({ watts }: Lamp) => (wattsOf(watts) === 0 ? { at: noon } : undefined)),
      ensure,
      report: (lamp) => False("LampDark", "no light", lamp.at),
    }),
  ],
  otherwise: otherwise({
    id: "lit",
    when: "otherwise",
    sees: ({ watts }: Lamp) => ({ watts }),
    ensure,
    report: (lamp) => True("LampLit", `${lamp.watts} W`),
  }),
});

function wattsOf(watts: number | null): number {
  if (watts === null) throw new RangeError("no watts");
  return watts;
}

describe("deciding", () => {
  test.each([
    ["the first row that holds", { seen: false, watts: 0 }, "unseen-keep"],
    ["a row below", { seen: true, watts: 0 }, "dark"],
    ["the last row", { seen: true, watts: 5 }, "lit"],
  ])("%s decides", (_, facts, id) => {
    expect(decide(Lit, facts).row.id).toBe(id);
  });

  test("a row hands on what it saw", () => {
    const { evidence, report, next } = decide(Lit, { seen: true, watts: 5 });
    expect({ evidence, report, next }).toEqual({
      evidence: { watts: 5 },
      report: { kind: "set", status: "True", reason: "LampLit", message: "5 W" },
      next: { kind: "await-change" },
    });
  });

  test("rows below the one that decides are not asked", () => {
    expect(decide(Lit, { seen: false, watts: null }).row.id).toBe("unseen-keep");
  });

  test("a guard that throws is named, with its error", () => {
    let thrown: unknown;
    try {
      decide(Lit, { seen: true, watts: null });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConditionTableError);
    expect(thrown).toMatchObject({ code: "CONDITION_TABLE", terminal: true });
    expect(describeError(thrown)).toBe("row dark of Lamp.Lit failed on these facts: no watts");
  });

  test("a table that no row of decides is named", () => {
    expect(() => decide({ ...Lit, rows: [] }, { seen: true, watts: 1 })).toThrow(
      new ConditionTableError("Lamp.Lit has no row that always holds"),
    );
  });
});

describe("the condition of a report", () => {
  test.each([
    ["documented", "Dark"],
    ["upstream", "LampDark"],
  ] as const)("has the %s reason %s", (spelling, reason) => {
    expect(conditionOf(Lit, False("LampDark", "M", noon), spelling)).toEqual({
      type: "Lit",
      status: "False",
      reason,
      message: "M",
      lastTransitionTime: noon,
    });
  });

  test("has no time unless the report has one, and the documented reason unless asked otherwise", () => {
    expect(conditionOf(Lit, Unknown("LampDark"))).toEqual({
      type: "Lit",
      status: "Unknown",
      reason: "Dark",
      message: "",
    });
  });

  test("is nothing where the last known one stands", () => {
    expect(conditionOf(Lit, lastKnown)).toBeUndefined();
  });

  test("a reason that the documents do not spell otherwise stays", () => {
    expect(spelled(Lit, "LampLit", "documented")).toBe("LampLit");
  });
});

test("a table is called by kind and type", () => {
  expect(nameOf(Lit)).toBe("Lamp.Lit");
});

test("a mirrored condition keeps its own reason, however reasons are spelled", () => {
  const ready = mirrored({ status: "True", reason: "LampLit", message: "M", since: noon });
  expect(conditionOf(Lit, ready)).toEqual({
    type: "Lit",
    status: "True",
    reason: "LampLit",
    message: "M",
    lastTransitionTime: noon,
  });
});
