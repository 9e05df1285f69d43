import { type Timestamp, timestampOf } from "#base";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aggregateCondition } from "./aggregate.ts";
import type { Condition, Status } from "./condition.ts";
import type { ConditionSource } from "./source.ts";
import { summaryCondition } from "./summary.ts";

const statuses: readonly Status[] = ["True", "False", "Unknown"];
// Few texts and names, so that sources often agree.
const shortText = fc.constantFrom("", "M", "N", "* M", "M\n* N", "O", "P", "Q");
const kind = fc.constantFrom("Machine", "MachineSet", "FooProxy");

interface Said {
  readonly status: Status;
  readonly message: string;
  readonly kind: string;
  readonly isControlPlaneMachine: boolean;
  readonly reports: boolean;
}

const said: fc.Arbitrary<Said> = fc.record({
  status: fc.constantFrom(...statuses),
  message: shortText,
  kind,
  isControlPlaneMachine: fc.boolean(),
  reports: fc.constantFrom(true, true, true, false),
});

function sourceFrom(each: Said, name: string, time?: Timestamp): ConditionSource {
  const { status, message, isControlPlaneMachine } = each;
  const timeless: Condition = { type: "Ready", status, reason: "R", message };
  const condition: Condition = time === undefined ? timeless : { ...timeless, lastTransitionTime: time };
  return { owner: { kind: each.kind, name, isControlPlaneMachine }, conditions: each.reports ? [condition] : [] };
}

function machine(name: string, message: string): ConditionSource {
  return sourceFrom({ status: "False", message, kind: "Machine", isControlPlaneMachine: false, reports: true }, name);
}

/** A list, and the same list in another order. */
function shuffled<T>(lists: fc.Arbitrary<readonly T[]>): fc.Arbitrary<readonly [readonly T[], readonly T[]]> {
  return lists.chain((list) =>
    fc
      .shuffledSubarray([...list], { minLength: list.length, maxLength: list.length })
      .map((other) => [list, other] as const),
  );
}

const many = fc.array(said, { minLength: 1, maxLength: 12 });

describe("the order of sources", () => {
  test("never matters for status and reason", () => {
    const sources = many.map((all) => all.map((each, index) => sourceFrom(each, `m${index}`)));
    fc.assert(
      fc.property(shuffled(sources), fc.boolean(), ([one, other], negative) => {
        const options = negative ? { negativePolarityConditionTypes: ["Ready"] } : {};
        const a = aggregateCondition(one, "Ready", options);
        const b = aggregateCondition(other, "Ready", options);
        expect({ status: b.status, reason: b.reason }).toEqual({ status: a.status, reason: a.reason });
      }),
    );
  });

  test("does not matter at all where all times differ", () => {
    const reporting = fc.array(
      said.map((each) => ({ ...each, reports: true })),
      { minLength: 1, maxLength: 12 },
    );
    const sources = reporting.map((all) =>
      all.map((each, index) => sourceFrom(each, `m${index}`, timestampOf(index * 60_000))),
    );
    fc.assert(
      fc.property(shuffled(sources), ([one, other]) => {
        expect(aggregateCondition(other, "Ready")).toEqual(aggregateCondition(one, "Ready"));
      }),
    );
  });

  test("does not matter at all where no two objects of a kind say the same", () => {
    const sources = many.map((all) =>
      all.map((each, index) =>
        sourceFrom({ ...each, reports: true, message: `${each.message} ${index}` }, `m${index}`),
      ),
    );
    fc.assert(
      fc.property(shuffled(sources), ([one, other]) => {
        expect(aggregateCondition(other, "Ready")).toEqual(aggregateCondition(one, "Ready"));
      }),
    );
  });

  test("does matter where objects of the same age say the same: the first to be asked breaks the tie", () => {
    const [a, z, m, n] = [machine("a", "1"), machine("z", "1"), machine("m", "2"), machine("n", "2")] as const;
    expect(aggregateCondition([a, z, m, n], "Ready").message).toBe("* Machines a, z: 1\n* Machines m, n: 2");
    expect(aggregateCondition([z, a, m, n], "Ready").message).toBe("* Machines m, n: 2\n* Machines a, z: 1");
  });

  test("the order of conditions on an object never matters for its summary", () => {
    const types = ["A", "B", "C", "D"];
    const conditions = fc.array(said, { minLength: 4, maxLength: 4 }).map((all) =>
      all.map(({ status, message }, index): Condition => ({
        type: String(types[index]),
        status,
        reason: "R",
        message,
      })),
    );
    const owner = { kind: "Machine", name: "m", isControlPlaneMachine: false };
    fc.assert(
      fc.property(shuffled(conditions), ([one, other]) => {
        const options = { forConditionTypes: types, negativePolarityConditionTypes: ["D"] };
        expect(summaryCondition({ owner, conditions: other }, "Ready", options)).toEqual(
          summaryCondition({ owner, conditions: one }, "Ready", options),
        );
      }),
    );
  });
});

describe("odd input", () => {
  const odd = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "\n", "* ", "*\n*\n", "\ud800", "__proto__", "constructor", "$&", "%s"),
    fc.constant("x * y\n".repeat(20_000)),
  );
  const source: fc.Arbitrary<ConditionSource> = fc
    .record({
      kind: odd,
      name: odd,
      message: odd,
      reason: odd,
      status: fc.oneof(odd, fc.constantFrom(...statuses)),
      cp: fc.boolean(),
    })
    .map((each) => ({
      owner: { kind: each.kind, name: each.name, isControlPlaneMachine: each.cp },
      conditions: [{ type: "Ready", status: each.status as Status, reason: each.reason, message: each.message }],
    }));

  test("never makes the engine throw, and the answer is one of three", () => {
    fc.assert(
      fc.property(fc.array(source, { minLength: 1, maxLength: 8 }), (sources) => {
        const aggregated = aggregateCondition(sources, "Ready");
        const summed = sources.map((each) => summaryCondition(each, "Available", { forConditionTypes: ["Ready"] }));
        for (const { status, message } of [aggregated, ...summed]) {
          expect(statuses).toContain(status);
          expect(typeof message).toBe("string");
        }
      }),
    );
  });

  test("a status that is none of three counts as unknown", () => {
    const owner = { kind: "Machine", name: "m", isControlPlaneMachine: false };
    const conditions = [{ type: "Ready", status: "Perhaps" as Status, reason: "R", message: "M" }];
    expect(aggregateCondition([{ owner, conditions }], "Ready")).toEqual({
      type: "Ready",
      status: "Unknown",
      reason: "UnknownReported",
      message: "* Machine m: M",
    });
  });
});
