import { awaitChange, milliseconds, parseTimestamp, requeueAfter, retry, seconds } from "#base";
import { describe, expect, test } from "vitest";
import { ConditionInputError } from "./errors.ts";
import { tableProblems } from "./table-problems.ts";
import { defineCondition, False, finds, holds, lastKnown, nothing, otherwise, row, True, Unknown } from "./table.ts";

interface Facts {
  readonly broken?: string;
  readonly waits?: number;
}

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const ensure = nothing("a lamp cannot be helped");

describe("a row", () => {
  const broken = row({
    id: "broken",
    when: finds("the lamp is broken", ({ broken: part }: Facts) => (part === undefined ? undefined : { part })),
    ensure,
    report: (lamp) => False("Broken", `The ${lamp.part} is broken`),
    next: (lamp) => retry(new ConditionInputError(`no new ${lamp.part}`)),
  });

  test("that does not hold says nothing", () => {
    expect(broken.match({})).toBeUndefined();
  });

  test("that holds says what it saw and what follows", () => {
    expect(broken.match({ broken: "wire" })).toEqual({
      evidence: { part: "wire" },
      report: { kind: "set", status: "False", reason: "Broken", message: "The wire is broken" },
      next: { kind: "retry", error: new ConditionInputError("no new wire") },
    });
  });

  test("is sketched with placeholders, as plain text", () => {
    expect(broken.sketch()).toEqual({
      report: { kind: "set", status: "False", reason: "Broken", message: "The <part> is broken" },
      next: { kind: "retry", error: "no new <part>" },
    });
  });

  test("waits for a change unless told otherwise, and may keep what is known", () => {
    const kept = row({ id: "kept-keep", when: holds("always", () => true), ensure, report: lastKnown });
    expect(kept.match({})).toEqual({ evidence: {}, report: { kind: "last-known" }, next: awaitChange });
    expect(kept.sketch()).toEqual({ report: { kind: "last-known" }, next: { kind: "await-change" } });
  });

  test("whose evidence is the message, the time or the delay is sketched as plain text too", () => {
    const odd = row({
      id: "odd",
      when: finds("always", () => ({ text: "dark", since: noon, delay: milliseconds(5), why: "so" })),
      ensure,
      report: (lamp) => Unknown("Odd", lamp.text, lamp.since),
      next: (lamp) => requeueAfter(lamp.delay, lamp.why),
    });
    const sketch = odd.sketch();
    expect(JSON.parse(JSON.stringify(sketch))).toEqual(sketch);
    expect(sketch).toEqual({
      report: { kind: "set", status: "Unknown", reason: "Odd", message: "<text>", since: "<since>" },
      next: { kind: "requeue", after: "<delay>", why: "<why>" },
    });
  });

  test("with a fixed delay is sketched with that delay", () => {
    const later = row({
      id: "later",
      when: holds("always", () => true),
      ensure,
      report: Unknown("Waiting"),
      next: requeueAfter(seconds(90), "it takes a while"),
    });
    expect(later.sketch().next).toEqual({ kind: "requeue", after: "1m30s", why: "it takes a while" });
  });
});

describe("a report", () => {
  test.each([
    [True("Fine"), { kind: "set", status: "True", reason: "Fine", message: "" }],
    [False("Bad", "M"), { kind: "set", status: "False", reason: "Bad", message: "M" }],
    [Unknown("Eh", "", noon), { kind: "set", status: "Unknown", reason: "Eh", message: "", since: noon }],
  ])("%j holds only what was given", (report, expected) => {
    expect(report).toEqual(expected);
    expect(Object.keys(report)).toEqual(Object.keys(expected));
  });
});

describe("a table", () => {
  const last = otherwise({ id: "fine", when: "otherwise", ensure, report: True("Fine") });
  const dark = row({ id: "dark", when: holds("it is dark", () => false), ensure, report: False("Dark") });
  const spec = { of: "Lamp", type: "Lit", summary: "Whether a lamp is lit." } as const;

  test("ends in the row that always holds, and is positive unless said otherwise", () => {
    const table = defineCondition({ ...spec, reasons: ["Fine", "Dark"], rows: [dark], otherwise: last });
    expect(table.rows.map(({ id }) => id)).toEqual(["dark", "fine"]);
    expect(table).toMatchObject({ polarity: "positive", documented: {} });
    const negative = defineCondition({ ...spec, polarity: "negative", reasons: ["Fine"], rows: [], otherwise: last });
    expect(negative.polarity).toBe("negative");
  });

  test("does not compile with a reason that is not declared", () => {
    // @ts-expect-error -- Dark is not among the reasons
    const dim = defineCondition({ ...spec, reasons: ["Fine"], rows: [dark], otherwise: last });
    expect(tableProblems(dim)).toEqual(["reason Dark is not declared"]);
    // @ts-expect-error -- Fine is not among the reasons
    const endless = defineCondition({ ...spec, reasons: ["Dark"], rows: [dark], otherwise: last });
    expect(tableProblems(endless)).toEqual(["reason Fine is not declared"]);
  });

  test("does not compile with a spelling of a reason that is not declared", () => {
    const odd = defineCondition({
      ...spec,
      reasons: ["Fine"],
      // @ts-expect-error -- there is no reason Bright
      documented: { Bright: "Shiny" },
      rows: [],
      otherwise: last,
    });
    expect(odd.documented).toEqual({ Bright: "Shiny" });
  });

  test("does not compile without a row that always holds", () => {
    // @ts-expect-error -- otherwise is missing
    expect(() => defineCondition({ ...spec, reasons: ["Dark"], rows: [dark] }).rows.map(({ id }) => id)).toThrow(
      TypeError,
    );
  });
});
