import { expect, test } from "vitest";
import { parseTimestamp } from "#base";
import { noPaint } from "../paint.ts";
import type { ObjectTree } from "./object-tree.ts";
import { printTree } from "./print-tree.ts";

const ready = { type: "Ready", status: "True", reason: "Ready", message: "", negative: false, undecided: false };

function machines(message: string, ...group: readonly string[]): ObjectTree {
  const object = { kind: "Machine", name: group[0] ?? "" };
  return { object, group, head: { ...ready, message }, conditions: [], children: [] };
}

test("where Machines are to be found stands under the messages", () => {
  const children = [machines("", "a", "b"), machines("slow", "c", "d", "e", "f")];
  const tree: ObjectTree = { role: "Workers", conditions: [], children };
  const now = parseTimestamp("2025-01-15T12:00:00Z");
  const lines = printTree(tree, { paint: noPaint, now, showConditions: [] }).split("\n");
  const column = lines[0]?.indexOf("MESSAGE");
  expect(lines.slice(2, 4).map((line) => line.slice(column))).toEqual(["see a, b", "slow  see c, d, e, …"]);
});
