import { expect, test } from "vitest";
import { oneLine } from "./one-line.ts";

test.each([
  ["nothing", "", ""],
  ["a sentence", "The API server is stopped on purpose", "The API server is stopped on purpose"],
  [
    "the first of several causes",
    "* Node.Ready: the kubelet is down\n* Node.DiskPressure: full",
    "Node.Ready: the kubelet is down (and 1 more)",
  ],
  [
    "what a heading stands for",
    "* NodeHealthy:\n  * Node.Ready: the kubelet is down\n  * Node.DiskPressure: full",
    "NodeHealthy: Node.Ready: the kubelet is down (and 1 more)",
  ],
  [
    "no heading among those that follow",
    "* Machine m1: no\n* Machine m2:\n  * NodeHealthy: no\n  * Deleting: yes",
    "Machine m1: no (and 2 more)",
  ],
  ["a heading that stands for nothing", "* NodeHealthy:", "NodeHealthy:"],
  [
    "of a long text its beginning and its end, cut between words",
    "failed to reach the cluster: error creating HTTP client and mapper: cluster is not reachable: failed to connect: connection refused",
    "failed to reach the cluster: error … cluster is not reachable: failed to connect: connection refused",
  ],
  ["two long words as they are", `${"x".repeat(58)} ${"y".repeat(58)}`, `${"x".repeat(58)} ${"y".repeat(58)}`],
  ["of a word that is longer than any word its beginning", "x".repeat(200), `${"x".repeat(60)}…`],
])("a message is shown as %s", (_, message, shown) => {
  expect(oneLine(message)).toBe(shown);
});
