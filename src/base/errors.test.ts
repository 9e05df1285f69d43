import { describe, expect, test } from "vitest";
import { aggregate, CapstanError, ContextError, describeError, findError, isPassing, toError, wrap } from "./errors.ts";

class LostError extends CapstanError {
  readonly code = "LOST";
}

const [a, b, c] = [new Error("a"), new LostError("b"), new Error("c")];

describe("describeError", () => {
  const cases: Record<string, [error: unknown, text: string]> = {
    "an error alone": [a, "a"],
    "a chain": [wrap(wrap(c, "b"), "a"), "a: b: c"],
    "an aggregate of one": [aggregate([a]), "a"],
    "an aggregate of several": [aggregate([a, b]), "[a, b]"],
    "equal texts count once": [aggregate([a, b, new Error("a")]), "[a, b]"],
    "equal texts only": [aggregate([a, new Error("a")]), "a"],
    "absent entries are dropped": [aggregate([undefined, a, undefined]), "a"],
    "aggregates directly inside are flattened": [aggregate([a, aggregate([b, aggregate([c])])]), "[a, b, c]"],
    "an aggregate that was wrapped keeps its brackets": [
      aggregate([a, wrap(aggregate([b, c]), "in")]),
      "[a, in: [b, c]]",
    ],
    "a wrapped aggregate": [wrap(aggregate([a, b]), "outer"), "outer: [a, b]"],
    "something that is no error": ["text", "text"],
    "a cause that is no error": [new Error("a", { cause: 5 }), "a: 5"],
    "something that cannot become a text": [Object.create(null), "[object Object]"],
  };
  test.each(Object.entries(cases))("%s", (_, [error, text]) => {
    expect(describeError(error)).toBe(text);
  });

  test("an error that causes itself comes to an end", () => {
    const circular = new Error("again");
    circular.cause = circular;
    expect(describeError(circular)).toMatch(/^(again: ){100}…$/);
    const inside = new AggregateError([]);
    inside.errors.push(inside);
    expect(describeError(inside)).toContain("…");
  });
});

test("of nothing comes nothing", () => {
  expect(wrap(undefined, "text")).toBeUndefined();
  expect(aggregate([])).toBeUndefined();
  expect(aggregate([undefined])).toBeUndefined();
});

test("a wrapped error keeps the other one as its cause", () => {
  const wrapped = wrap(a, "while trying");
  expect([wrapped.message, wrapped.cause, wrapped.code, wrapped.name]).toEqual([
    "while trying",
    a,
    "CONTEXT",
    "ContextError",
  ]);
});

test("an error passes by itself where it or one of its causes says so", () => {
  class Shower extends CapstanError {
    readonly code = "SHOWER";
    override readonly passing = true;
  }
  const shower = new Shower("it rains");
  expect([shower, wrap(shower, "no walk"), b, new Error("x"), undefined].map(isPassing)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("an error has the name of its class, a code and is not terminal unless it says so", () => {
  expect({ name: b.name, code: b.code, terminal: b.terminal }).toEqual({
    name: "LostError",
    code: "LOST",
    terminal: false,
  });
});

describe("findError", () => {
  const cases: Record<string, [error: unknown, found: Error | undefined]> = {
    "the error itself": [b, b],
    "a cause": [wrap(wrap(b, "x"), "y"), b],
    "a member of an aggregate": [aggregate([a, wrap(b, "x")]), b],
    "not there": [aggregate([a, wrap(c, "x")]), undefined],
    "nothing at all": [undefined, undefined],
  };
  test.each(Object.entries(cases))("%s", (_, [error, found]) => {
    expect(findError(error, LostError)).toBe(found);
  });

  test("the first of a class, abstract or not, is found", () => {
    expect(findError(wrap(b, "x"), CapstanError)).toBeInstanceOf(ContextError);
  });
});

test("whatever is thrown becomes an error", () => {
  expect(toError(a)).toBe(a);
  expect(toError("text").message).toBe("thrown: text");
  expect(toError(Symbol("s")).message).toBe("thrown: Symbol(s)");
});
