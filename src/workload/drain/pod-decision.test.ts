import { describe, expect, test } from "vitest";
import { parseTimestamp, type Timestamp } from "#base";
import type { ObjectMeta } from "#machinery";
import type { Pod } from "../core-kinds.ts";
import type { DrainRule } from "./drain-rules.ts";
import { type DecisionContext, decidePod, type PodDecision } from "./pod-decision.ts";

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const ago = (seconds: number): Timestamp => parseTimestamp(`2025-01-15T11:59:${60 - seconds}Z`);

const context: DecisionContext = {
  now: Date.parse(noon),
  unreachable: false,
  rules: [],
  namespaces: new Map([["default", {}]]),
  daemonSetOf: () => "present",
};

const plain: PodDecision = { kind: "evict", order: 0, warnings: [] };
const replicated = owner("ReplicaSet");
const ofDaemonSet = { metadata: { ownerReferences: [owner("DaemonSet")] } };
const finished = { status: { phase: "Succeeded" } };
const labelled = (value: string) => ({ metadata: { labels: { "cluster.x-k8s.io/drain": value } } });

interface Case {
  readonly pod?: PodParts;
  readonly given?: Partial<DecisionContext>;
  readonly decision: PodDecision;
}

const cases: Readonly<Record<string, Case>> = {
  "a Pod like any other is evicted": { decision: plain },
  "a Pod without a controller is evicted with a warning": {
    pod: { metadata: { ownerReferences: [] } },
    decision: { ...plain, warnings: ["evicting Pod that has no controller"] },
  },
  "a Pod with local storage is evicted with a warning": {
    pod: { spec: { volumes: [{ emptyDir: {} }, {}] } },
    decision: { ...plain, warnings: ["evicting Pod with local storage"] },
  },
  "of a Pod that has finished nothing is lost": {
    pod: { metadata: { ownerReferences: [] }, spec: { volumes: [{ emptyDir: {} }] }, ...finished },
    decision: plain,
  },
  "a Pod of a DaemonSet stays": {
    pod: ofDaemonSet,
    decision: { kind: "skip", why: "ignoring DaemonSet-managed Pod" },
  },
  "a Pod of a DaemonSet that is gone is evicted": {
    pod: ofDaemonSet,
    given: { daemonSetOf: () => "gone" },
    decision: { ...plain, warnings: ["evicting orphaned DaemonSet-managed Pod"] },
  },
  "a Pod of a DaemonSet that cannot be read is not touched": {
    pod: ofDaemonSet,
    given: { daemonSetOf: () => ({ error: "timeout" }) },
    decision: { kind: "undecidable", error: "timeout" },
  },
  "a Pod of a DaemonSet that has finished is evicted": { pod: { ...ofDaemonSet, ...finished }, decision: plain },
  "a static Pod stays": {
    pod: { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } } },
    decision: { kind: "skip", why: "static Pod" },
  },
  "a Pod on its way out is waited for": { pod: { metadata: { deletionTimestamp: ago(30) } }, decision: plain },
  "on a Node that is unreachable it is not": {
    pod: { metadata: { deletionTimestamp: ago(2) } },
    given: { unreachable: true },
    decision: { kind: "skip", why: "deletionTimestamp is more than 1s ago" },
  },
  "on a Node that is unreachable it has a second": {
    pod: { metadata: { deletionTimestamp: ago(1) } },
    given: { unreachable: true },
    decision: plain,
  },
  "a label lets a Pod stay": {
    pod: labelled("Skip"),
    decision: { kind: "skip", why: "label cluster.x-k8s.io/drain" },
  },
  "a label lets a Pod finish": { pod: labelled("wait-completed"), decision: { kind: "wait-completed", order: 0 } },
  "a label may be written as a rule is": {
    pod: labelled("WaitCompleted"),
    decision: { kind: "wait-completed", order: 0 },
  },
  "a Pod that has finished is not waited for": {
    pod: { ...labelled("wait-completed"), ...finished },
    decision: { kind: "completed" },
  },
  "a label that nobody knows changes nothing": { pod: labelled("never"), decision: plain },
  "the first rule that applies gives the order": {
    given: { rules: [aRule("a", "Skip", { applies: false }), aRule("b", "Drain", { order: 7 }), aRule("c", "Skip")] },
    decision: { ...plain, order: 7 },
  },
  "a rule lets a Pod stay": {
    given: { rules: [aRule("a", "Skip")] },
    decision: { kind: "skip", why: "MachineDrainRule a" },
  },
  "a rule lets a Pod finish": {
    given: { rules: [aRule("a", "WaitCompleted")] },
    decision: { kind: "wait-completed", order: 0 },
  },
  "a label wins over a rule": {
    pod: labelled("wait-completed"),
    given: { rules: [aRule("a", "Skip")] },
    decision: { kind: "wait-completed", order: 0 },
  },
  "a rule that cannot be followed is an error": {
    given: { rules: [aRule("a", "Dance" as "Drain")] },
    decision: { kind: "undecidable", error: 'MachineDrainRule "a" has unknown spec.drain.behavior: "Dance"' },
  },
  "a Pod of no namespace is an error": {
    given: { namespaces: new Map() },
    decision: { kind: "undecidable", error: "Pod Namespace does not exist" },
  },
};

describe("draining", () => {
  test.each(Object.entries(cases))("%s", (_name, { pod = {}, given = {}, decision }) => {
    expect(decidePod(aPod(pod), { ...context, ...given })).toEqual(decision);
  });
});

type PodParts = { readonly metadata?: ObjectMeta } & Pick<Pod, "spec" | "status">;

function aPod({ metadata = {}, ...rest }: PodParts): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "default", name: "p", ownerReferences: [replicated], ...metadata },
    ...rest,
  };
}

function owner(kind: string) {
  return { apiVersion: "apps/v1", kind, name: "o", uid: "u", controller: true };
}

function aRule(
  name: string,
  behavior: DrainRule["behavior"],
  { order = 0, applies = true }: { readonly order?: number; readonly applies?: boolean } = {},
): DrainRule {
  return { name, behavior, order, appliesTo: () => applies };
}
