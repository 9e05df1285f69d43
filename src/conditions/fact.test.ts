import { type Duration, milliseconds, minutes, type Timestamp } from "#base";
import { describe, expect, test } from "vitest";
import { InvalidFactsError } from "./errors.ts";
import { fact } from "./fact.ts";

interface Lamp {
  readonly name: string;
  readonly lit: boolean;
  readonly switches: number;
  readonly since?: Timestamp;
  readonly patience: Duration;
  readonly colours: readonly ("red" | "green")[];
  readonly owner:
    | { readonly kind: "nobody" }
    | { readonly kind: "person"; readonly name: string; readonly room?: string };
}

const lamp = fact.object<Lamp>({
  name: fact.text,
  lit: fact.flag,
  switches: fact.count,
  since: fact.optional(fact.time),
  patience: fact.duration,
  colours: fact.list(fact.oneOf("red", "green")),
  owner: fact.byKind<Lamp["owner"]>({ nobody: {}, person: { name: fact.text, room: fact.optional(fact.text) } }),
});

const good = {
  name: "desk",
  lit: true,
  switches: 2,
  patience: "5m",
  colours: ["red"],
  owner: { kind: "person", name: "Ada" },
};

describe("facts are read", () => {
  test.each<[string, object, object]>([
    ["as they are", {}, {}],
    ["with a time in UTC", { since: "2025-01-15T13:00:00.5+01:00" }, { since: "2025-01-15T12:00:00Z" }],
    ["without a time that is null", { since: null }, {}],
    ["without a text that is empty and may be left out", { owner: { ...good.owner, room: "" } }, {}],
    ["with a duration in milliseconds", { patience: 1500 }, { patience: milliseconds(1500) }],
    ["with an object of another kind", { owner: { kind: "nobody" } }, { owner: { kind: "nobody" } }],
  ])("%s", (_, change, expected) => {
    expect(lamp({ ...good, ...change }, "facts")).toEqual({ ...good, patience: minutes(5), ...expected });
  });
});

describe("facts are refused, and the field is named", () => {
  test.each<[string, unknown, string]>([
    ["no facts at all", undefined, "facts is missing: it must be an object"],
    ["a list of facts", [], "facts must be an object, not a list"],
    ["a text for a flag", { ...good, lit: "yes" }, 'facts.lit must be true or false, not "yes"'],
    ["a number for a text", { ...good, name: 7 }, "facts.name must be a text, not 7"],
    ["a broken number", { ...good, switches: 1.5 }, "facts.switches must be a whole number, 0 or more, not 1.5"],
    ["a negative number", { ...good, switches: -1 }, "facts.switches must be a whole number, 0 or more, not -1"],
    [
      "a huge number",
      { ...good, switches: 2n ** 64n },
      "facts.switches must be a whole number, 0 or more, not 18446744073709551616",
    ],
    ["a missing field", { ...good, lit: undefined }, "facts.lit is missing: it must be true or false"],
    ["a null field", { ...good, lit: null }, "facts.lit must be true or false, not null"],
    ["no time", { ...good, since: "noon" }, 'facts.since must be a time such as 2025-01-15T12:00:00Z, not "noon"'],
    ["a number for a time", { ...good, since: 12 }, "facts.since must be a time such as 2025-01-15T12:00:00Z, not 12"],
    ["no duration", { ...good, patience: "5 min" }, 'facts.patience must be a duration such as 5m, not "5 min"'],
    [
      "an endless duration",
      { ...good, patience: Infinity },
      "facts.patience must be a duration such as 5m, not Infinity",
    ],
    ["a text for a list", { ...good, colours: "red" }, 'facts.colours must be a list, not "red"'],
    [
      "an item that is none",
      { ...good, colours: ["red", "blue"] },
      'facts.colours[1] must be one of red, green, not "blue"',
    ],
    ["a text for an object", { ...good, owner: "Ada" }, 'facts.owner must be an object, not "Ada"'],
    [
      "a bare True of YAML",
      { ...good, colours: [true] },
      "facts.colours[0] must be one of red, green (in quotes), not true",
    ],
    ["no kind", { ...good, owner: {} }, "facts.owner.kind is missing: it must be one of nobody, person"],
    ["another kind", { ...good, owner: { kind: "cat" } }, 'facts.owner.kind must be one of nobody, person, not "cat"'],
    [
      "a field of another kind",
      { ...good, owner: { kind: "nobody", name: "x" } },
      "facts.owner.name is not known: none belong here",
    ],
    [
      "a field with a typo",
      { ...good, owner: { ...good.owner, rooom: "x" } },
      "facts.owner.rooom is not known: there are name, room",
    ],
    ["a field of every object", { ...good, name: { toString: 1 } }, "facts.name must be a text, not an object"],
    [
      "a very long text",
      { ...good, lit: "x".repeat(100_000) },
      `facts.lit must be true or false, not "${"x".repeat(60)}…"`,
    ],
  ])("%s", (_, value, message) => {
    expect(() => lamp(value, "facts")).toThrow(new InvalidFactsError(message));
  });
});
