import { readFileSync } from "node:fs";
import { type Timestamp, timestampOf } from "#base";
import {
  applyConfiguration,
  applyUpdate,
  type JsonSchema,
  type KubeObject,
  objectTypeOf,
  resetFields,
} from "#machinery";

const apiVersion = "cluster.x-k8s.io/v1beta2";
const conditionTypes = [
  ["Available", "Ready", "UpToDate", "BootstrapConfigReady", "InfrastructureReady"],
  ["NodeReady", "NodeHealthy", "Deleting", "Updating", "Paused"],
].flat();

/** How long ownership takes for a Machine of some 4.5 kB with four managers. */
export async function bench(print: (line: object) => void): Promise<void> {
  const type = objectTypeOf(machineSchema());
  const common = { apiVersion, kind: "Machine", type, reset: resetFields({ subresource: "", hasStatus: true }) };
  const status = {
    ...common,
    manager: "manager",
    subresource: "status",
    reset: resetFields({ subresource: "status", hasStatus: true }),
  };
  let time = Date.parse("2026-01-01T00:00:00Z");
  const now = (): Timestamp => timestampOf((time += 1000));

  function apply(live: KubeObject | undefined, manager: string, configuration: KubeObject): KubeObject {
    const result = applyConfiguration({ ...common, live, manager, configuration, force: true, now: now() });
    if (result.kind === "conflicts") throw result.error;
    return { ...result.object, metadata: { ...result.object.metadata, uid: "4c1c4e5e-7c2c-4a3a-8f53-2a3d7e0d8a11" } };
  }
  function update(live: KubeObject, next: KubeObject): KubeObject {
    const managedFields = applyUpdate({ ...status, live, next, now: now() });
    return managedFields === undefined ? next : { ...next, metadata: { ...next.metadata, managedFields } };
  }

  let machine = apply(undefined, "capi-machineset", configurationOf(0));
  machine = apply(machine, "capi-machineset-metadata", metadataOf());
  machine = update(machine, { ...machine, status: statusOf("False") });
  const labelled = {
    ...machine,
    metadata: { ...machine.metadata, labels: { ...machine.metadata.labels, by: "hand" } },
  };
  machine = {
    ...labelled,
    metadata: {
      ...labelled.metadata,
      managedFields:
        applyUpdate({ ...common, manager: "kubectl-label", live: machine, next: labelled, now: now() }) ?? [],
    },
  };
  const bytes = JSON.stringify(machine).length;
  const managers = machine.metadata.managedFields?.length;

  let turn = 0;
  measure(
    "apply that changes one field",
    () => void (machine = apply(machine, "capi-machineset", configurationOf(turn++))),
  );
  measure("apply that drops and adds a field", () => {
    machine = apply(machine, "capi-machineset", configurationOf(turn, { extra: turn++ % 2 === 0 }));
  });
  const again = configurationOf(turn);
  machine = apply(machine, "capi-machineset", again);
  measure(
    "apply that changes nothing",
    () => void (machine = apply(machine, "capi-machineset", configurationOf(turn))),
  );
  measure("status update, parsed anew", () => {
    machine = update(machine, { ...machine, status: statusOf(turn++ % 2 === 0 ? "True" : "False") });
  });
  measure("status update, one condition anew", () => {
    machine = update(machine, { ...machine, status: withPhase(machine["status"], `phase-${turn++ % 3}`) });
  });

  function measure(what: string, work: () => void): void {
    for (let count = 0; count < 3000; count++) work();
    const rounds = 5000;
    const start = process.cpuUsage();
    for (let count = 0; count < rounds; count++) work();
    const { user, system } = process.cpuUsage(start);
    const microseconds = (user + system) / rounds;
    print({ bench: "ownership", what, bytes, managers, microseconds: Math.round(microseconds * 10) / 10 });
  }
}

function machineSchema(): JsonSchema {
  const text = readFileSync("test/fixtures/schema/machines-definition.json", "utf8");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a definition of our own fixtures
  const definition = JSON.parse(text) as {
    readonly spec: {
      readonly versions: readonly {
        readonly name: string;
        readonly schema: { readonly openAPIV3Schema: JsonSchema };
      }[];
    };
  };
  const version = definition.spec.versions.find(({ name }) => name === "v1beta2");
  if (version === undefined) throw new Error("the fixture has no v1beta2");
  return version.schema.openAPIV3Schema;
}

function configurationOf(turn: number, { extra = false } = {}): KubeObject {
  return {
    apiVersion,
    kind: "Machine",
    metadata: {
      name: "capi-quickstart-md-0-6ccb5f8c9d-x2x7p",
      namespace: "default",
      labels: labels(),
      annotations: { "cluster.x-k8s.io/turn": String(turn) },
      finalizers: ["machine.cluster.x-k8s.io"],
      ownerReferences: [
        {
          apiVersion,
          kind: "MachineSet",
          name: "capi-quickstart-md-0-6ccb5f8c9d",
          uid: "0a0b3a3e-1d5c-4b0e-9f2f-7f6f0e0d8a11",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      clusterName: "capi-quickstart",
      version: "v1.35.1",
      failureDomain: "fd-1",
      bootstrap: {
        configRef: {
          apiGroup: "bootstrap.cluster.x-k8s.io",
          kind: "KubeadmConfig",
          name: "capi-quickstart-md-0-x2x7p",
        },
      },
      infrastructureRef: {
        apiGroup: "infrastructure.cluster.x-k8s.io",
        kind: "DevMachine",
        name: "capi-quickstart-md-0-x2x7p",
      },
      readinessGates: [{ conditionType: "example.com/Checked", polarity: "Positive" }],
      deletion: {
        nodeDrainTimeoutSeconds: 600,
        nodeVolumeDetachTimeoutSeconds: 600,
        ...(extra ? { nodeDeletionTimeoutSeconds: 10 } : {}),
      },
    },
  };
}

function metadataOf(): KubeObject {
  return {
    apiVersion,
    kind: "Machine",
    metadata: {
      name: "capi-quickstart-md-0-6ccb5f8c9d-x2x7p",
      namespace: "default",
      labels: { "node-role.kubernetes.io/worker": "", "example.com/team": "platform" },
      annotations: { "example.com/note": "kept in step with the MachineSet" },
    },
  };
}

function labels(): Readonly<Record<string, string>> {
  return {
    "cluster.x-k8s.io/cluster-name": "capi-quickstart",
    "cluster.x-k8s.io/deployment-name": "capi-quickstart-md-0",
    "cluster.x-k8s.io/set-name": "capi-quickstart-md-0-6ccb5f8c9d",
    "machine-template-hash": "6ccb5f8c9d-x2x7p",
  };
}

function statusOf(ready: string): object {
  return {
    phase: "Running",
    observedGeneration: 3,
    lastUpdated: "2026-01-01T00:00:00Z",
    nodeRef: { name: "capi-quickstart-md-0-x2x7p" },
    nodeInfo: nodeInfo(),
    addresses: [
      { type: "InternalIP", address: "172.18.0.7" },
      { type: "Hostname", address: "capi-quickstart-md-0-x2x7p" },
    ],
    initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true },
    conditions: conditionTypes.map((conditionType) => ({
      type: conditionType,
      status: conditionType === "Ready" ? ready : "True",
      reason: conditionType,
      message: "",
      observedGeneration: 3,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    })),
  };
}

function nodeInfo(): object {
  return {
    architecture: "amd64",
    bootID: "4a0a7f0e-61a5-4f3a-9a6e-b0a5a0a4a2b1",
    containerRuntimeVersion: "containerd://2.1.0",
    kernelVersion: "6.8.0-45-generic",
    kubeProxyVersion: "v1.35.1",
    kubeletVersion: "v1.35.1",
    machineID: "3b4c1a2f5d6e4c0d8f7a9b0c1d2e3f40",
    operatingSystem: "linux",
    osImage: "Debian GNU/Linux 12 (bookworm)",
    systemUUID: "0c7d2d8e-5c0b-4a6b-8a3e-1f2e3d4c5b6a",
  };
}

function withPhase(status: unknown, phase: string): unknown {
  return typeof status === "object" && status !== null ? { ...status, phase } : { phase };
}
