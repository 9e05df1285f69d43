import { expect, test } from "vitest";
import type { Json, JsonObject } from "#machinery";
import { formsOf } from "./forms.ts";
import type { VectorCase, VectorFile } from "./vector-file.ts";

function forms(name: string, raw: JsonObject): unknown {
  const { input = {}, expected = {} } = raw;
  const vector: VectorCase = { name: "a case", op: "", input, expected, tags: [], raw };
  const file: VectorFile = { name, ofTwoVersions: true, cases: [vector] };
  return formsOf(file, vector);
}

const twoVersions = { input: 1, expected: { error: "old" }, "v1.13": { expected: { error: "new" } } };

test("validation speaks the texts of v1.13", () => {
  expect(forms("variable-validation.json", twoVersions)).toEqual([
    { name: "v1.13", input: 1, expected: { error: "new" } },
  ]);
});

test("variables of a class must pass in both shapes", () => {
  expect(forms("clusterclass-variables.json", { ...twoVersions, "v1.13": { input: "$repeat:ab:2" } })).toEqual([
    { name: "v1.12", input: 1, expected: { error: "old" } },
    { name: "v1.13", input: "abab", expected: { error: "old" } },
  ]);
});

test("everything else follows v1.12", () => {
  expect(forms("extensionconfig.json", twoVersions)).toEqual([{ name: "v1.12", input: 1, expected: { error: "old" } }]);
});

test("NodeReady is checked in both spellings of its reasons", () => {
  const healthy = { type: "NodeHealthy", status: "True", reason: "NodeHealthy" };
  const upstream = { type: "NodeReady", status: "True", reason: "NodeReady" };
  const documented = { ...upstream, reason: "Ready" };
  const raw = { expected: { conditions: [healthy, upstream] }, seedExpectedNodeReady: documented };
  expect(forms("nodeready.json", raw)).toEqual([
    { name: "documented", input: {}, expected: { conditions: [healthy, documented] } },
    { name: "upstream", input: {}, expected: { conditions: [healthy, upstream] } },
  ]);
});

test("kept conditions are the stored ones with their times", () => {
  const stored = { type: "NodeReady", status: "True", lastTransitionTime: "2025-01-15T12:00:00Z" };
  const input = { machine: { status: { conditions: [{ type: "Paused", status: "False" }, stored] } } };
  const expected = { conditions: [{ type: "NodeReady", status: "True" }], nodeReadyLastTransitionTime: "x" };
  const kept = { conditions: [stored], nodeReadyLastTransitionTime: "x" };
  expect(forms("nodeready.json", { input, expected, conditionsKept: true })).toEqual([
    { name: "documented", input, expected: kept },
    { name: "upstream", input, expected: kept },
  ]);
});

const paused = { type: "Paused", status: "False" };
const notDiscovered = {
  type: "Discovered",
  status: "False",
  reason: "NotDiscovered",
  message: "",
  observedGeneration: 1,
};

function readOnly(stored: readonly Json[]): unknown {
  const input = { extensionConfigs: [{ metadata: { name: "ext1" }, status: { conditions: stored } }] };
  const expected = { error: "no", writesStatus: false, result: { name: "ext1", conditions: stored } };
  const seedExpected = { note: "row 4", requeueAfterSeconds: 0, discovered: notDiscovered };
  const [form] = formsOf(
    { name: "extensionconfig.json", ofTwoVersions: true, cases: [] },
    { name: "", op: "", input, expected, tags: [], raw: { seedExpected } },
  );
  return form?.expected;
}

test("the read-only manager writes the condition that the documents ask for", () => {
  expect(readOnly([paused])).toEqual({
    error: "no",
    writesStatus: true,
    result: { name: "ext1", conditions: [notDiscovered, paused] },
  });
});

test("the read-only manager does not write what is stored already", () => {
  expect(readOnly([notDiscovered, paused])).toEqual({
    error: "no",
    writesStatus: false,
    result: { name: "ext1", conditions: [notDiscovered, paused] },
  });
});

test("a failed discovery empties the handlers", () => {
  const raw = { expected: { result: { handlers: ["h"] } }, seedExpected: { note: "row 7", handlers: [] } };
  expect(forms("extensionconfig.json", raw)).toEqual([
    { name: "v1.12", input: {}, expected: { result: { handlers: [] } } },
  ]);
});

test("quotes stay where the documents leave them out", () => {
  const expected = { variableDiscoveryError: 'patch p1 returned status "Failure"', other: 1 };
  const seedExpected = { variableDiscoveryError: "patch p1 returned status Failure", other: 2 };
  expect(forms("clusterclass-variables.json", { expected, seedExpected })).toEqual([
    { name: "v1.12", input: {}, expected: { ...expected, other: 2 } },
  ]);
});
