import { describe, expect, test } from "vitest";
import type { ClusterFacts } from "./facts.ts";
import { readAvailableFacts, readClusterFacts } from "./read-facts.ts";
import { fine, noon, unlisted, withDescendants } from "./test-facts.ts";

const counts = { desiredReplicas: 3, replicas: 2 };

describe("facts of a Cluster are read as they were written", () => {
  test.each<[why: string, change: Partial<ClusterFacts>]>([
    ["all is well", {}],
    ["nothing could be listed", unlisted],
    ["Machines are new", withDescendants({ settlesAt: noon })],
    ["the class has gates", { clusterClass: { kind: "found", availabilityGates: [{ conditionType: "Blessed" }] } }],
    ["the contract is not known", { initialization: { kind: "unversioned", error: "on fire" } }],
    ["machines were counted", { replicas: { controlPlane: counts, workers: {} } }],
    ["it goes", { deletion: { kind: "waiting-for-workers", remaining: "* MachineDeployments: md1" } }],
  ])("where %s", (_, change) => {
    const facts = { ...fine, ...change };
    expect(readClusterFacts(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
  });
});

test.each<[why: string, change: object, error: string]>([
  ["a stage that does not exist", { deletion: { kind: "soon" } }, "facts.deletion.kind"],
  ["a count that is a text", { replicas: { workers: { replicas: "2" } } }, "facts.replicas.workers.replicas"],
  [
    "a gate without a type",
    { clusterClass: { kind: "found", availabilityGates: [{}] } },
    "facts.clusterClass.availabilityGates",
  ],
  ["a fact that nobody knows", { weather: "fine" }, "weather"],
])("facts with %s are refused by name", (_, change, error) => {
  expect(() => readClusterFacts({ ...fine, ...change })).toThrow(error);
});

test("what conditions say together is read too", () => {
  const facts = { summary: { kind: "made", status: "False", message: "* Deleting: gone" } };
  expect(readAvailableFacts(facts)).toEqual(facts);
});
