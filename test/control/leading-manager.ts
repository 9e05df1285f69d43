import { createLogger, requeueAfter, milliseconds, seconds, systemClock } from "#base";
import { createClient, createHttpTransport, loadConnection, type ServedKind } from "#client";
import { createManager, defineReconciler, defineStep } from "#control";
import type { KubeObject } from "#machinery";

// A manager in a process of its own, which a test kills: whenever it may act, it leaves a mark, as often as it can.
const [kubeconfig = "", identity = "", lease = "4"] = process.argv.slice(2);

const ConfigMap: ServedKind = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: { group: "", version: "v1", resource: "configmaps" },
  namespaced: true,
  is: (object): object is KubeObject => object.apiVersion === "v1" && object.kind === "ConfigMap",
};
let acts = 0;

const act = defineStep<KubeObject, object>({
  name: "act",
  text: "leave a mark",
  async run({ client }) {
    const metadata = { namespace: "default", name: `act-${identity}-${++acts}`, labels: { actor: identity } };
    await client.create(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
    return requeueAfter(milliseconds(10), "there is always more to do");
  },
});

const actor = defineReconciler<KubeObject, object>({
  name: "actor",
  kind: ConfigMap,
  predicate: ({ object }) => object.metadata.name === "work",
  facts: () => ({}),
  steps: [act],
  conditions: [],
});

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
process.once("disconnect", () => process.exit());
using transport = createHttpTransport(await loadConnection({ path: kubeconfig }));
const manager = createManager({
  client: createClient(transport, { fieldOwner: identity }),
  log: createLogger({ format: "text", level: "info", clock: systemClock, destination: process.stderr }),
  leaderElection: {
    namespace: "default",
    name: "core",
    identity,
    leaseDuration: seconds(Number(lease)),
    renewDeadline: seconds(Number(lease) * 0.75),
    retryPeriod: milliseconds(200),
  },
});
process.send?.("waiting");
await manager.add(actor, {}).run({ signal: stop.signal });
process.disconnect();
