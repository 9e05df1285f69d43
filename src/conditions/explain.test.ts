import { parseTimestamp, retry } from "#base";
import { describe, expect, test } from "vitest";
import { ConditionInputError, ConditionTableError } from "./errors.ts";
import { explain, explanationJson, printExplanation } from "./explain.ts";
import { defineCondition, False, finds, holds, lastKnown, nothing, otherwise, row, True } from "./table.ts";

interface Lamp {
  readonly seen: boolean;
  readonly watts: number;
  readonly broken?: string;
}

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const repair = { name: "repairLamp", text: "asks for a new lamp" };

const Lit = defineCondition({
  of: "Lamp",
  type: "Lit",
  summary: "Whether a lamp is lit.",
  reasons: ["LampLit", "LampDark", "LampBroken"],
  documented: { LampDark: "Dark" },
  rows: [
    row({
      id: "unseen-keep",
      when: holds("nobody looked", ({ seen }: Lamp) => !seen),
      ensure: nothing("looking costs too much"),
      report: lastKnown,
    }),
    row({
      id: "broken",
      when: finds("a part is broken", ({ broken: part }: Lamp) => (part === undefined ? undefined : { part })),
      ensure: repair,
      report: (lamp) => False("LampBroken", `* ${lamp.part}\n* the rest`),
      next: (lamp) => retry(new ConditionInputError(`no new ${lamp.part}`)),
    }),
    row({
      id: "dark",
      when: finds("there is no light", ({ watts }: Lamp) => (watts === 0 ? { since: noon } : undefined)),
      ensure: nothing("it is day"),
      report: (lamp) => False("LampDark", "", lamp.since),
    }),
  ],
  otherwise: otherwise({ id: "lit", when: "there is light", ensure: nothing("all is well"), report: True("LampLit") }),
});

describe("an explanation", () => {
  test("names the row that fired, what it saw, and every other row that holds too", () => {
    expect(explain(Lit, { seen: false, watts: 0 })).toEqual({
      table: "Lamp.Lit",
      type: "Lit",
      row: "unseen-keep",
      when: "nobody looked",
      evidence: {},
      report: { kind: "last-known" },
      ensure: { nothing: "looking costs too much" },
      next: { kind: "await-change" },
      rows: [
        { id: "unseen-keep", when: "nobody looked", verdict: "fired" },
        { id: "broken", when: "a part is broken", verdict: "no" },
        { id: "dark", when: "there is no light", verdict: "holds-too" },
        { id: "lit", when: "there is light", verdict: "no" },
      ],
    });
  });

  test("spells reasons as the documents do, or as upstream does", () => {
    const dark = { seen: true, watts: 0 };
    expect(explain(Lit, dark).report).toMatchObject({ reason: "Dark" });
    expect(explain(Lit, dark, "upstream").report).toMatchObject({ reason: "LampDark" });
  });

  test("asks every guard, so that a broken one is named even below the row that fired", () => {
    const facts: Lamp = {
      seen: false,
      watts: 0,
      get broken(): string {
        throw new RangeError("no part");
      },
    };
    expect(() => explain(Lit, facts)).toThrow(new ConditionTableError("row broken of Lamp.Lit failed on these facts"));
  });
});

describe("printed for people", () => {
  test.each<[string, Lamp, readonly string[]]>([
    [
      "a status that is kept",
      { seen: false, watts: 0 },
      [
        "Lamp.Lit: as last known",
        "->  1  unseen-keep  holds  nobody looked",
        "    2  broken       no     a part is broken",
        "    3  dark         holds  there is no light; but a row above decided",
        "    4  lit          no     there is light",
        "saw       {}",
        "ensure    nothing: looking costs too much",
        "next      none: waits for a change",
      ],
    ],
    [
      "a message of two lines, a step and a retry",
      { seen: true, watts: 1, broken: "wire" },
      [
        "Lamp.Lit: False, LampBroken",
        "    1  unseen-keep  no     nobody looked",
        "->  2  broken       holds  a part is broken",
        "    3  dark         no     there is no light",
        "    4  lit          no     there is light",
        'saw       {"part":"wire"}',
        "message   * wire",
        "          * the rest",
        "ensure    repairLamp: asks for a new lamp",
        "next      retry with backoff: no new wire",
      ],
    ],
    [
      "a time that is taken over",
      { seen: true, watts: 0 },
      [
        "Lamp.Lit: False, Dark",
        "    1  unseen-keep  no     nobody looked",
        "    2  broken       no     a part is broken",
        "->  3  dark         holds  there is no light",
        "    4  lit          no     there is light",
        'saw       {"since":"2025-01-15T12:00:00Z"}',
        "since     2025-01-15T12:00:00Z",
        "ensure    nothing: it is day",
        "next      none: waits for a change",
      ],
    ],
  ])("%s", (_, facts, lines) => {
    expect(printExplanation(explain(Lit, facts)).split("\n")).toEqual(lines);
  });

  test("what others wrote cannot steer the terminal", () => {
    const lines = printExplanation(explain(Lit, { seen: true, watts: 1, broken: "\u001b[2Jw\u009bi\u202ere\r\n" }));
    expect(lines).toContain("message   * \\x1b[2Jw\\u009bi\\u202ere\\r\n");
    expect(lines).toContain('saw       {"part":"\\u001b[2Jw\\u009bi\\u202ere\\r\\n"}');
    expect(lines).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});

describe("as JSON", () => {
  test("the error behind a retry becomes its text", () => {
    const json = explanationJson(explain(Lit, { seen: true, watts: 1, broken: "wire" }));
    expect(json).toMatchObject({ row: "broken", next: { kind: "retry", error: "no new wire" } });
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  });
});
