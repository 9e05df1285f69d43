import { minutes, parseTimestamp, timestampOf } from "#base";
import { aggregateCondition, type ConditionSource, decide, explain } from "#conditions";
import { type NodeFacts, NodeReady } from "#reconcilers/machine";

const machines = 1_000;
const rounds = 200;
const roundMilliseconds = 5;
const noon = parseTimestamp("2025-01-15T12:00:00Z");

/** How fast conditions are merged and decided. */
export async function bench(print: (line: object) => void): Promise<void> {
  const cases = [
    ["aggregate, 1,000 Machines, all well", aggregating(() => "")],
    ["aggregate, 1,000 Machines, ten texts", aggregating((index) => `kubelet ${index % 10} is down`)],
    ["aggregate, 1,000 Machines, a text each", aggregating((index) => `* Node.Ready: kubelet ${index} is down`)],
    ["decide, NodeReady, first row", deciding({ cluster: { ...facts.cluster, infrastructureProvisioned: false } })],
    ["decide, NodeReady, ready", deciding({})],
    ["decide, NodeReady, last of 17 rows", deciding({ node: { kind: "absent" } })],
    ["explain, NodeReady", () => explain(NodeReady, facts)],
  ] as const;
  for (const [name, run] of cases) print({ bench: "conditions", name, value: perSecond(run), unit: "ops/s" });
}

const facts: NodeFacts = {
  now: noon,
  gracePeriod: minutes(5),
  cluster: { infrastructureProvisioned: true, controlPlaneInitialized: { kind: "done", since: noon } },
  connection: { lastProbeSuccess: noon, consecutiveFailures: 0 },
  machine: { deleting: false, infrastructureKind: "DevMachine", nodeConditionsReported: true },
  node: { kind: "found", conditions: [{ type: "Ready", status: "True", message: "", since: noon }] },
};

function deciding(change: Partial<NodeFacts>): () => unknown {
  const changed = { ...facts, ...change };
  return () => decide(NodeReady, changed);
}

function aggregating(messageOf: (index: number) => string): () => unknown {
  const sources = Array.from({ length: machines }, (_, index): ConditionSource => {
    const message = messageOf(index);
    return {
      owner: { kind: "Machine", name: `worker-${index}`, isControlPlaneMachine: index < 3 },
      conditions: [
        {
          type: "Ready",
          status: message === "" ? "True" : "False",
          reason: "Bench",
          message,
          // A few hundred different ages, in no order.
          lastTransitionTime: timestampOf(((index * 7919) % 500) * 1000),
        },
      ],
    };
  });
  return () => aggregateCondition(sources, "Ready");
}

/** The best of some rounds: on a busy machine the others measure the neighbours. */
function perSecond(run: () => unknown): number {
  return Math.round(Math.max(...Array.from({ length: rounds }, () => measure(run))));
}

function measure(run: () => unknown): number {
  const start = performance.now();
  let runs = 0;
  let elapsed = 0;
  while (elapsed < roundMilliseconds) {
    for (let batch = 0; batch < 10; batch += 1) run();
    runs += 10;
    elapsed = performance.now() - start;
  }
  return (runs * 1000) / elapsed;
}
