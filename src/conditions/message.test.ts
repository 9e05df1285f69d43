import { describe, expect, test } from "vitest";
import type { Status } from "./condition.ts";
import { aggregateMessages, type AggregateOptions, indent, type OwnedCondition, summaryMessages } from "./message.ts";
import { defaultPriority } from "./priority.ts";

const options: AggregateOptions = {
  most: 3,
  dropEmpty: false,
  priority: defaultPriority([]),
  others: { issue: "with other issues", unknown: "with status unknown" },
};

function says(owner: string, message: string, status: Status = "False"): OwnedCondition {
  const [kind = "", name = ""] = owner.split("/");
  const isControlPlaneMachine = name.startsWith("cp");
  return { type: "Ready", status, reason: "R", message, owner: { kind, name, isControlPlaneMachine } };
}

describe("indenting a message behind a headline", () => {
  test.each([
    ["", " "],
    ["plain", " plain"],
    ["trailing star *", " trailing star *"],
    ["star*inside", " star*inside"],
    ["* one", "\n  * one"],
    ["2 * 3", "\n  2 * 3"],
    ["*\ttab", "\n  *\ttab"],
    ["*\u00a0no-break space", " *\u00a0no-break space"],
    ["* A\n* B", "\n  * A\n  * B"],
    ["Message-D\n* More", "\n  * Message-D\n    * More"],
    ["* A\nB", "\n    * A\n  * B"],
    ["first\n", "\n  * first\n  * "],
    ["\n", "\n  * \n  * "],
    ["*\nlone star", "\n  * *\n  * lone star"],
    ["* A\n\n* B", "\n    * A\n  * \n    * B"],
  ])("%j reads %j", (message, indented) => {
    expect(indent(message)).toBe(indented);
  });
});

describe("messages of many objects", () => {
  test.each<[string, readonly OwnedCondition[], readonly string[]]>([
    ["one object", [says("Machine/a", "M")], ["* Machine a: M"]],
    ["an empty message leaves its blank", [says("MachineDeployment/md1", "")], ["* MachineDeployment md1: "]],
    [
      "names are sorted byte by byte",
      [says("Machine/b", "M"), says("Machine/B", "M"), says("Machine/a", "M")],
      ["* Machines B, a, b: M"],
    ],
    [
      "three names are printed, the others counted",
      ["e", "d", "c", "b", "a"].map((name) => says(`Machine/${name}`, "M")),
      ["* Machines a, b, c, ... (2 more): M"],
    ],
    [
      "control plane Machines are named first, and what they say comes first",
      [says("Machine/a", "graver"), says("Machine/b", "M", "Unknown"), says("Machine/cp2", "M", "Unknown")],
      ["* Machines cp2, b: M", "* Machine a: graver"],
    ],
    [
      "a text said by a control plane Machine goes first for other kinds too",
      [
        says("MachineSet/a", "other"),
        says("MachineSet/b", "other"),
        says("MachineSet/c", "M"),
        says("Machine/cp", "M"),
      ],
      ["* Machine cp: M", "* MachineSet c: M", "* MachineSets a, b: other"],
    ],
    [
      "issues come before what is unknown, however many say it",
      [says("Machine/a", "U", "Unknown"), says("Machine/b", "U", "Unknown"), says("Machine/c", "I")],
      ["* Machine c: I", "* Machines a, b: U"],
    ],
    [
      "a text is as grave as the gravest that says it, whatever its kind",
      [says("Machine/a", "M", "Unknown"), says("Machine/b", "I"), says("Machine/c", "I"), says("MachineSet/d", "M")],
      ["* Machines b, c: I", "* Machine a: M", "* MachineSet d: M"],
    ],
    [
      "frequent texts come first, then those of the smaller names in the order of reports",
      [says("Machine/c", "1"), says("Machine/z", "2"), says("Machine/a", "2"), says("Machine/b", "3")],
      ["* Machines a, z: 2", "* Machine b: 3", "* Machine c: 1"],
    ],
    [
      "a tie is broken by names in the order of reports, not of the alphabet",
      [says("Machine/z", "1"), says("Machine/a", "1"), says("Machine/m", "2"), says("Machine/n", "2")],
      ["* Machines m, n: 2", "* Machines a, z: 1"],
    ],
    [
      "kinds go by name and share the budget of three messages",
      [
        says("MachineSet/s", "4"),
        says("Machine/a", "1"),
        says("Cluster/c", "2"),
        says("Machine/b", "3"),
        says("MachineSet/t", "5", "Unknown"),
      ],
      [
        "* Cluster c: 2",
        "* Machine a: 1",
        "* Machine b: 3",
        "And 1 MachineSet with other issues",
        "And 1 MachineSet with status unknown",
      ],
    ],
    [
      "what does not fit is counted in objects, and kinds are counted in their plural",
      [
        ...["1", "2", "3"].map((text) => says(`Machine/m${text}`, text)),
        ...["a", "b"].map((name) => says(`FooProxy/${name}`, "4")),
        ...["y", "z"].map((name) => says(`Machine/${name}`, name, "Unknown")),
      ],
      [
        "* FooProxies a, b: 4",
        "* Machine m1: 1",
        "* Machine m2: 2",
        "And 1 Machine with other issues",
        "And 2 Machines with status unknown",
      ],
    ],
  ])("%s", (_, conditions, lines) => {
    expect(aggregateMessages(conditions, options).lines).toEqual(lines);
  });

  test("empty messages are dropped where that is asked for, and use up nothing", () => {
    const conditions = [says("Machine/a", ""), says("Machine/b", "M")];
    expect(aggregateMessages(conditions, { ...options, dropEmpty: true })).toEqual({
      lines: ["* Machine b: M"],
      left: 2,
    });
  });

  test("what is left of the budget comes back", () => {
    expect(aggregateMessages([], options)).toEqual({ lines: [], left: 3 });
    expect(aggregateMessages([says("Machine/a", "1"), says("Machine/b", "2")], options).left).toBe(1);
  });

  test("nothing is said of a priority that has no words", () => {
    const conditions = [says("Machine/a", "1"), says("Machine/b", "2", "Unknown")];
    expect(aggregateMessages(conditions, { ...options, most: 0, others: { unknown: "unclear" } }).lines).toEqual([
      "And 1 Machine unclear",
    ]);
  });
});

describe("messages of one object", () => {
  const conditions = [
    { ...says("", "Message-A"), type: "A" },
    { ...says("", "Message-B", "True"), type: "B" },
    { ...says("", "", "True"), type: "C" },
    { ...says("", "", "Unknown"), type: "D" },
    { ...says("", "one\n* two"), type: "E" },
  ];

  test.each<[Status, readonly string[]]>([
    ["False", ["* A: Message-A", "* D: R", "* E:\n  * one\n    * two"]],
    ["Unknown", ["* A: Message-A", "* D: R", "* E:\n  * one\n    * two"]],
    ["True", ["* A: Message-A", "* B: Message-B", "* D: R", "* E:\n  * one\n    * two"]],
  ])("information is printed only where the whole is True (%s)", (status, entries) => {
    expect(summaryMessages(conditions, defaultPriority([]), status)).toEqual(entries);
  });
});
