import { expect, test } from "vitest";
import { parseTimestamp } from "#base";
import { volumesMessage } from "./attached-volumes.ts";
import { drainMessage } from "./drain-message.ts";
import type { Evictions } from "./evict-pods.ts";

const startedAt = parseTimestamp("2025-01-15T12:00:00Z");
const none: Evictions = {
  leaving: [],
  failed: new Map(),
  awaited: [],
  later: [],
  awaitedLater: [],
  ignored: ["kube-system/proxy"],
};
const pods = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n/p${index}`);
const violated = "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget b needs 2";

test("nothing is said where nothing is waited for", () => {
  expect(drainMessage(none, startedAt)).toBe("");
});

test("everything that is waited for is said, in order", () => {
  const evictions = {
    ...none,
    leaving: pods(1),
    failed: new Map([
      ["timeout", pods(5)],
      [violated, pods(2)],
    ]),
    awaited: pods(2),
    later: pods(4),
    awaitedLater: pods(1),
  };
  expect(drainMessage(evictions, startedAt)).toBe(
    [
      "Drain not completed yet (started at 2025-01-15T12:00:00Z):",
      "* Pod n/p0: deletionTimestamp set, but still not removed from the Node",
      "* Pods n/p0, n/p1: cannot evict pod as it would violate the pod's disruption budget. The disruption budget b needs 2",
      "* Pods n/p0, n/p1, n/p2, ... (2 more): failed to evict Pod, timeout",
      "* Pods n/p0, n/p1: waiting for completion",
      "After above Pods have been removed from the Node, the following Pods will be evicted: n/p0, n/p1, n/p2, ... (1 more)",
      "After above Pods have been removed from the Node, waiting for the following Pods to complete without eviction: n/p0",
    ].join("\n"),
  );
});

test.each([
  { others: 1, said: "* 1 Pod with other issues" },
  { others: 3, said: "* 3 Pods with other issues" },
])("five reasons are said, and that there are $others Pods with others", ({ others, said }) => {
  const failed = new Map([...["a", "b", "c", "d", "e"].map((why) => [why, pods(1)] as const), ["f", pods(others)]]);
  const lines = drainMessage({ ...none, failed }, startedAt).split("\n");
  expect(lines).toHaveLength(7);
  expect(lines.at(-1)).toBe(said);
});

test("volumes are said by what is known of them", () => {
  const volumes = { claims: pods(7), unclaimed: ["pv1"], unknownToVolumes: ["v1"], missing: ["pv2", "pv3"] };
  expect(volumesMessage(volumes, startedAt)).toBe(
    [
      "Waiting for Node volumes to be detached (started at 2025-01-15T12:00:00Z)",
      "* PersistentVolumeClaims: n/p0, n/p1, n/p2, n/p3, n/p4, ... (2 more)",
      "* PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim: pv1",
      "* Node with .status.volumesAttached entries not matching a PersistentVolume: v1",
      "* VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume: pv2, pv3",
    ].join("\n"),
  );
});
