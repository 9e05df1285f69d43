import { Cluster, ClusterClass, DevCluster, DevMachine, ExtensionConfig, Machine } from "#api";
import { createExtension, defineVariables, DiscoverVariables, GeneratePatches, patchTemplates } from "#extensions";
import { s } from "#machinery";
import { breakAnnotations } from "#providers";
import { classObjects, clusterObjects, rollout } from "./objects.ts";
import type { Stage } from "./stage.ts";

/** What the extension of the demo lets people choose. */
const variables = defineVariables({
  image: s.string({ minLength: 1 }).describe("The image of the machines.").optional(),
  region: s.string().describe("Where the machines stand.").optional(),
});

/** Tells the whole story; throws a DemoError at the first promise that is not kept. */
export async function tellStory(stage: Stage): Promise<void> {
  const extension = createExtension()
    .on(DiscoverVariables, "variables", () => ({ variables: variables.definitions }))
    .on(GeneratePatches, "patches", (request) => patchTemplates(request, {}, { variables }));
  await using server = await extension.listen({ host: "127.0.0.1" });
  await discoverExtension(stage, server);
  await findVariables(stage);
  await bringUpCluster(stage);
  await rollOut(stage);
  await breakNode(stage);
  await loseApiServer(stage);
}

async function discoverExtension(
  stage: Stage,
  { url, caBundle }: { readonly url: string; readonly caBundle: string },
): Promise<void> {
  stage.title("1. An extension is discovered");
  stage.say(`an HTTPS server with two handlers runs at ${url}; an ExtensionConfig makes it known`);
  await stage.apply({
    apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
    kind: "ExtensionConfig",
    metadata: { name: "demo", namespace: "" },
    spec: { clientConfig: { url, caBundle } },
  });
  await stage.until(ExtensionConfig, "demo", { type: "Discovered", status: "True" });
}

async function findVariables(stage: Stage): Promise<void> {
  stage.title("2. A ClusterClass gets its variables");
  stage.say("one is written in the class, the others come from the extension");
  await stage.apply(...classObjects);
  await stage.until(ClusterClass, "demo", { type: "VariablesReady", status: "True" });
  const { status } = await stage.client.get(ClusterClass, { namespace: "default", name: "demo" });
  stage.say(`variables: ${(status?.variables ?? []).map(({ name }) => name).join(", ")}`);
}

async function bringUpCluster(stage: Stage): Promise<void> {
  stage.title("3. A Cluster and its Machines come up");
  stage.say("one control plane, two workers; each machine is simulated, each cluster has a real API server");
  await stage.apply(...clusterObjects);
  await stage.until(Machine, "demo-control-plane", { type: "Ready", status: "True" });
  await stage.until(Machine, "demo-worker-1", { type: "NodeReady", status: "True", reason: "Ready" });
  await stage.until(Machine, "demo-worker-2", { type: "NodeReady", status: "True", reason: "Ready" });
  await stage.until(Cluster, "demo", { type: "Available", status: "True" });
}

async function rollOut(stage: Stage): Promise<void> {
  stage.title("4. A MachineDeployment reports a rollout");
  stage.say("the controller of MachineDeployments comes later: the demo writes that status itself");
  await stage.apply(rollout.object);
  await stage.report(rollout.going);
  await stage.until(Cluster, "demo", { type: "RollingOut", status: "True", reason: "RollingOut" });
  await stage.explain(Cluster, "demo", { type: "RollingOut", row: "rolling-out" });
  await stage.report(rollout.done);
  await stage.until(Cluster, "demo", { type: "RollingOut", status: "False", reason: "NotRollingOut" });
}

async function breakNode(stage: Stage): Promise<void> {
  stage.title("5. A Node breaks, and is explained");
  stage.say("an annotation on its DevMachine stops the kubelet");
  await stage.annotate(DevMachine, "demo-worker-1", { [breakAnnotations.node]: "down" });
  await stage.until(Machine, "demo-worker-1", { type: "Ready", status: "False" });
  await stage.explain(Machine, "demo-worker-1", { type: "Available", row: "unhealthy" });
  await stage.annotate(DevMachine, "demo-worker-1", { [breakAnnotations.node]: null });
  await stage.until(Machine, "demo-worker-1", { type: "Ready", status: "True" });
}

async function loseApiServer(stage: Stage): Promise<void> {
  stage.title("6. The workload API server goes away, and comes back");
  await stage.annotate(DevCluster, "demo", { [breakAnnotations.apiServer]: "stopped" });
  await stage.until(Cluster, "demo", { type: "RemoteConnectionProbe", status: "False", reason: "ProbeFailed" });
  await stage.until(Machine, "demo-worker-2", { type: "NodeReady", status: "Unknown", reason: "ConnectionDown" });
  await stage.explain(Machine, "demo-worker-2", { type: "NodeReady", row: "connection-lost" });
  await stage.annotate(DevCluster, "demo", { [breakAnnotations.apiServer]: null });
  await stage.until(Cluster, "demo", { type: "RemoteConnectionProbe", status: "True", reason: "ProbeSucceeded" });
  await stage.until(Machine, "demo-worker-2", { type: "NodeReady", status: "True", reason: "Ready" });
  await stage.until(Cluster, "demo", { type: "Available", status: "True" });
}
