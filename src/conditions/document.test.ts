import { milliseconds, parseTimestamp, requeueAfter, retry, seconds } from "#base";
import { expect, test } from "vitest";
import { documentTable, tableJson } from "./document.ts";
import { ConditionInputError } from "./errors.ts";
import { defineCondition, False, finds, holds, lastKnown, nothing, otherwise, row, True, Unknown } from "./table.ts";

interface Lamp {
  readonly seen: boolean;
}

const part = { name: "wire", since: parseTimestamp("2025-01-15T12:00:00Z"), delay: milliseconds(7) };

const Lit = defineCondition({
  of: "Lamp",
  type: "Lit",
  polarity: "negative",
  summary: "Whether a lamp is lit.",
  reasons: ["LampLit", "LampDark", "LampBroken"],
  documented: { LampDark: "Dark", LampLit: "Lit" },
  rows: [
    row({
      id: "unseen-keep",
      when: holds("nobody looked | nobody cared", ({ seen }: Lamp) => !seen),
      ensure: nothing("looking costs too much"),
      report: lastKnown,
      next: requeueAfter(seconds(10), "somebody may look"),
    }),
    row({
      id: "broken",
      when: finds("a part is broken", (): typeof part | undefined => undefined),
      ensure: { name: "repairLamp", text: "asks for a new lamp" },
      report: (lamp) => False("LampBroken", `* ${lamp.name}\n* the rest`, lamp.since),
      next: (lamp) => retry(new ConditionInputError(`no new ${lamp.name}`)),
    }),
    row({
      id: "dark",
      when: finds("there is no light", (): typeof part | undefined => undefined),
      ensure: nothing("it is day"),
      report: Unknown("LampDark", "no light"),
      next: (lamp) => requeueAfter(lamp.delay, "night comes"),
    }),
  ],
  otherwise: otherwise({ id: "lit", when: "there is light", ensure: nothing("all is well"), report: True("LampLit") }),
});

test("a table prints itself in the form of the documents", () => {
  expect(documentTable(Lit).split("\n")).toEqual([
    "# Lamp `Lit`",
    "",
    "Whether a lamp is lit.",
    "",
    "The first row whose guard holds decides. Polarity: negative.",
    "",
    "| Row | Guard (Observed predicate) | Ensure (Idempotent reconcile action) | Condition transition (ONLY `Lit`) | Next reconcile (Return) |",
    "|---|---|---|---|---|",
    "| `unseen-keep` | nobody looked \\| nobody cared | No-op; looking costs too much | (condition unchanged) | `requeueAfter: 10s` (somebody may look) |",
    '| `broken` | a part is broken | `repairLamp`: asks for a new lamp | `Lit=False; Reason=LampBroken; Message="* <name>\\n* the rest"; ObservedGeneration=metadata.generation` | `requeue` (error return) |',
    '| `dark` | there is no light | No-op; it is day | `Lit=Unknown; Reason=Dark; Message="no light"; ObservedGeneration=metadata.generation` | `requeueAfter: <delay>` (night comes) |',
    '| `lit` | there is light | No-op; all is well | `Lit=True; Reason=Lit; Message=""; ObservedGeneration=metadata.generation` | `none` |',
    "",
    "With `--condition-reasons=upstream` the reasons are spelled as upstream spells them: `Dark` is `LampDark`, `Lit` is `LampLit`.",
    "",
  ]);
});

test("a table prints upstream's reasons where they are asked for", () => {
  const page = documentTable(Lit, { spelling: "upstream" });
  expect(page).toContain("Reason=LampDark");
  expect(page).not.toContain("Reason=Dark");
});

test("a table without other spellings does not speak of them", () => {
  expect(documentTable({ ...Lit, documented: {} })).not.toContain("--condition-reasons");
});

test("a table is plain JSON", () => {
  const json = tableJson(Lit);
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  expect(json).toEqual({
    name: "Lamp.Lit",
    of: "Lamp",
    type: "Lit",
    polarity: "negative",
    summary: "Whether a lamp is lit.",
    reasons: ["LampLit", "LampDark", "LampBroken"],
    documented: { LampDark: "Dark", LampLit: "Lit" },
    rows: [
      {
        id: "unseen-keep",
        when: "nobody looked | nobody cared",
        ensure: { nothing: "looking costs too much" },
        report: { kind: "last-known" },
        next: { kind: "requeue", after: "10s", why: "somebody may look" },
      },
      {
        id: "broken",
        when: "a part is broken",
        ensure: { name: "repairLamp", text: "asks for a new lamp" },
        report: {
          kind: "set",
          status: "False",
          reason: "LampBroken",
          message: "* <name>\n* the rest",
          since: "<since>",
        },
        next: { kind: "retry", error: "no new <name>" },
      },
      {
        id: "dark",
        when: "there is no light",
        ensure: { nothing: "it is day" },
        report: { kind: "set", status: "Unknown", reason: "LampDark", message: "no light" },
        next: { kind: "requeue", after: "<delay>", why: "night comes" },
      },
      {
        id: "lit",
        when: "there is light",
        ensure: { nothing: "all is well" },
        report: { kind: "set", status: "True", reason: "LampLit", message: "" },
        next: { kind: "await-change" },
      },
    ],
  });
});
