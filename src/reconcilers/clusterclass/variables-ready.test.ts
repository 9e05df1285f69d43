import { describeError } from "#base";
import { decide, False, True, Unknown } from "#conditions";
import { everyRow } from "#testkit";
import { expect, test } from "vitest";
import type { ClassFacts } from "./facts.ts";
import { readClassFacts } from "./read-facts.ts";
import { RefVersionsUpToDate } from "./ref-versions-up-to-date.ts";
import { VariablesReady } from "./variables-ready.ts";

const fine: ClassFacts = {
  className: "class1",
  references: { kind: "followed", outdated: [] },
  problems: [],
  conflicts: [],
};

const callFailed = { kind: "call-failed", patch: "proxy", error: "connection refused" } as const;
const refused = { kind: "refused", patch: "zones", status: "Failure", message: 'no "zones"' } as const;
const invalid = { kind: "invalid", patch: "proxy", errors: ["proxy.variables[a].type: bad"] } as const;

const discoveryFailed = (failure: string) => False("VariableDiscoveryFailed", `VariableDiscovery failed: ${failure}`);

everyRow(VariablesReady, fine, {
  "extension-failed": [
    {
      given: { problems: [callFailed] },
      report: discoveryFailed("failed to call DiscoverVariables for patch proxy: connection refused"),
      next: "retry",
    },
    {
      given: { problems: [refused, callFailed] },
      report: discoveryFailed(
        '[patch zones returned status "Failure" with message "no \\"zones\\"", ' +
          "failed to call DiscoverVariables for patch proxy: connection refused]",
      ),
      next: "retry",
    },
  ],
  "extension-refused": {
    given: { problems: [refused] },
    report: discoveryFailed('patch zones returned status "Failure" with message "no \\"zones\\""'),
    next: "retry",
  },
  "not-convertible": {
    given: { problems: [{ kind: "not-convertible", variable: "zone" }] },
    report: discoveryFailed("failed to convert variable zone to v1beta2"),
    next: "retry",
  },
  invalid: [
    {
      given: { problems: [invalid] },
      report: discoveryFailed("proxy.variables[a].type: bad"),
      next: "retry",
    },
    {
      given: { problems: [{ ...invalid, errors: ["one", "two", "one"] }] },
      report: discoveryFailed("[one, two]"),
      next: "retry",
    },
  ],
  conflicting: {
    given: { conflicts: ["a", "c"] },
    report: discoveryFailed("the following variables have conflicting schemas: a,c"),
    next: "retry",
  },
  "variables-ready": { given: {}, report: True("VariablesReady") },
});

everyRow(RefVersionsUpToDate, fine, {
  unreadable: {
    given: { references: { kind: "failed", errors: ["not found"] } },
    report: Unknown("InternalError", "Please check controller logs for errors"),
  },
  outdated: {
    given: {
      references: {
        kind: "followed",
        outdated: [
          { kind: "DevClusterTemplate", name: "blue", current: "v1beta1", latest: "v1beta2" },
          { kind: "DevMachineTemplate", name: "worker", current: "v1beta3", latest: "v1beta2" },
        ],
      },
    },
    report: False(
      "RefVersionsNotUpToDate",
      "The following templateRefs are not using the latest apiVersion:\n" +
        "* DevClusterTemplate blue: current: v1beta1, latest: v1beta2\n" +
        "* DevMachineTemplate worker: current: v1beta3, latest: v1beta2",
    ),
  },
  "up-to-date": { given: {}, report: True("RefVersionsUpToDate") },
});

test("a pass that fails to discover variables is retried with an error that names the class", () => {
  const { next } = decide(VariablesReady, { ...fine, conflicts: ["a"] });
  expect(next.kind === "retry" && describeError(next.error)).toBe(
    "failed to discover variables for ClusterClass class1: the following variables have conflicting schemas: a",
  );
});

test("a message fits into the condition, however much is wrong", () => {
  const errors = Array.from({ length: 5000 }, (_, index) => `variables[${index}]: bad`);
  const { report } = decide(VariablesReady, { ...fine, problems: [{ ...invalid, errors }] });
  expect(report.kind === "set" && report.message.length).toBe(32_768);
});

test("facts survive being written to a file", () => {
  const facts: ClassFacts = {
    className: "class1",
    references: { kind: "failed", errors: ["not found"] },
    problems: [callFailed, refused, invalid, { kind: "not-convertible", variable: "a" }],
    conflicts: ["a"],
  };
  expect(readClassFacts(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
  expect(() => readClassFacts({ ...facts, conflicts: "a" })).toThrow("facts.conflicts");
});
