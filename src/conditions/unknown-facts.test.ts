import { describe, expect, test } from "vitest";
import { UnknownFactError } from "./errors.ts";
import { explain, printExplanation } from "./explain.ts";
import { defineCondition, False, finds, holds, nothing, otherwise, row, True } from "./table.ts";
import { withUnknownFacts } from "./unknown-facts.ts";

interface Lamp {
  readonly name: string;
  readonly wire: { readonly whole: boolean; readonly since?: string };
}

const lamp: Lamp = { name: "hall", wire: { whole: true } };

const Lit = defineCondition({
  of: "Lamp",
  type: "Lit",
  summary: "Whether a lamp is lit.",
  reasons: ["Lit", "Dark", "Cut"],
  rows: [
    row({
      id: "cut",
      when: holds("the wire is cut", ({ wire }: Lamp) => !wire.whole),
      ensure: nothing("somebody has to come"),
      report: False("Cut"),
    }),
    row({
      id: "cellar",
      when: finds("it is in the cellar", ({ name }: Lamp) => (name === "cellar" ? { name } : undefined)),
      ensure: nothing("nobody is there"),
      report: False("Dark"),
    }),
  ],
  otherwise: otherwise({ id: "lit", when: "else", ensure: nothing("all is well"), report: True("Lit") }),
});

describe("facts of which some are not known", () => {
  test("refuse to tell those, and tell the others", () => {
    const facts = withUnknownFacts(lamp, ["wire.whole", "wire.since"]);
    expect(facts.name).toBe("hall");
    expect(() => facts.wire.whole).toThrow(new UnknownFactError("wire.whole"));
    expect(() => facts.wire.since).toThrow(new UnknownFactError("wire.since"));
  });

  test("make rows that ask for them undecided, and the row below them what it is if none of those holds", () => {
    const explanation = explain(Lit, withUnknownFacts(lamp, ["wire.whole"]));
    expect(explanation).toMatchObject({ row: "lit", undecided: ["wire.whole"] });
    expect(explanation.rows.map(({ verdict }) => verdict)).toEqual(["cannot-tell", "no", "fired"]);
    expect(printExplanation(explanation).split("\n").slice(0, 2)).toEqual([
      "Lamp.Lit: cannot be told without wire.whole; if no row marked ? holds, it is lit: True, Lit",
      " ?  1  cut     ?      the wire is cut; wire.whole is not known",
    ]);
  });

  test("do not matter to a row above those that ask for them", () => {
    const explanation = explain(Lit, withUnknownFacts({ ...lamp, wire: { whole: false } }, ["name"]));
    expect(explanation.undecided).toBeUndefined();
    expect(explanation.row).toBe("cut");
  });
});
