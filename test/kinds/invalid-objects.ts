import { applyMergePatch, asJson, isJsonObject, type Json, type JsonObject, type KubeObject } from "#machinery";
import { validObjects } from "./valid-objects.ts";

/** A change to the valid object of a kind that makes it invalid, and what a server says. */
export interface InvalidObject {
  readonly kind: string;
  readonly change: Json;
  readonly problem: string;
}

const machineSpec = (change: Json): Json => ({ spec: { template: { spec: change } } });

/** By what is wrong with them. */
export const invalidObjects: Readonly<Record<string, InvalidObject>> = {
  "a Cluster with nothing in its spec": {
    kind: "Cluster",
    change: { spec: { paused: null, clusterNetwork: null, controlPlaneEndpoint: null, topology: null } },
    problem: "spec: Invalid value: 0: spec in body should have at least 1 properties",
  },
  "a topology with the same variable twice": {
    kind: "Cluster",
    change: {
      spec: {
        topology: {
          variables: [
            { name: "a", value: 1 },
            { name: "a", value: 2 },
          ],
        },
      },
    },
    problem: 'spec.topology.variables[1]: Duplicate value: {"name":"a"}',
  },
  "a reference with a bad name": {
    kind: "Cluster",
    change: { spec: { controlPlaneRef: { apiGroup: "example.com", kind: "Plane", name: "Blue_1" } } },
    problem: `spec.controlPlaneRef.name: Invalid value: "Blue_1": spec.controlPlaneRef.name in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'`,
  },
  "an endpoint with an impossible port": {
    kind: "Cluster",
    change: { spec: { controlPlaneEndpoint: { port: 70000 } } },
    problem:
      "spec.controlPlaneEndpoint.port: Invalid value: 70000: spec.controlPlaneEndpoint.port in body should be less than or equal to 65535",
  },
  "a Machine without infrastructure": {
    kind: "Machine",
    change: { spec: { infrastructureRef: null } },
    problem: "spec.infrastructureRef: Required value",
  },
  "a taint with an unknown effect": {
    kind: "Machine",
    change: { spec: { taints: [{ key: "a", effect: "NoRun", propagation: "Always" }] } },
    problem:
      'spec.taints[0].effect: Unsupported value: "NoRun": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  },
  "a negative timeout": {
    kind: "MachineSet",
    change: machineSpec({ deletion: { nodeDrainTimeoutSeconds: -1 } }),
    problem:
      "spec.template.spec.deletion.nodeDrainTimeoutSeconds: Invalid value: -1: spec.template.spec.deletion.nodeDrainTimeoutSeconds in body should be greater than or equal to 0",
  },
  "an unknown strategy": {
    kind: "MachineDeployment",
    change: { spec: { rollout: { strategy: { type: "Recreate" } } } },
    problem: 'spec.rollout.strategy.type: Unsupported value: "Recreate": supported values: "RollingUpdate", "OnDelete"',
  },
  "an empty provider ID": {
    kind: "MachinePool",
    change: { spec: { providerIDList: [""] } },
    problem:
      'spec.providerIDList[0]: Invalid value: "": spec.providerIDList[0] in body should be at least 1 chars long',
  },
  "a range that is none": {
    kind: "MachineHealthCheck",
    change: { spec: { remediation: { triggerIf: { unhealthyInRange: "3-5" } } } },
    problem: `spec.remediation.triggerIf.unhealthyInRange: Invalid value: "3-5": spec.remediation.triggerIf.unhealthyInRange in body should match '^\\[[0-9]+-[0-9]+\\]$'`,
  },
  "a drain rule without selectors in an entry": {
    kind: "MachineDrainRule",
    change: { spec: { machines: [{}] } },
    problem: "spec.machines[0]: Invalid value: 0: spec.machines[0] in body should have at least 1 properties",
  },
  "an extension without a way to reach it": {
    kind: "ExtensionConfig",
    change: { spec: { clientConfig: { service: null, caBundle: null } } },
    problem: "spec.clientConfig: Invalid value: 0: spec.clientConfig in body should have at least 1 properties",
  },
  "a resource of a kind that is not applied": {
    kind: "ClusterResourceSet",
    change: { spec: { resources: [{ kind: "Pod", name: "a" }] } },
    problem: 'spec.resources[0].kind: Unsupported value: "Pod": supported values: "Secret", "ConfigMap"',
  },
  "a binding that does not say whether it was applied": {
    kind: "ClusterResourceSetBinding",
    change: { spec: { bindings: [{ clusterResourceSetName: "a", resources: [{ kind: "Secret", name: "a" }] }] } },
    problem: "spec.bindings[0].resources[0].applied: Required value",
  },
  "an address with too long a prefix": {
    kind: "IPAddress",
    change: { spec: { prefix: 129 } },
    problem: "spec.prefix: Invalid value: 129: spec.prefix in body should be less than or equal to 128",
  },
  "a claim without a pool": {
    kind: "IPAddressClaim",
    change: { spec: { poolRef: null } },
    problem: "spec.poolRef: Required value",
  },
  "a DevCluster without a backend": {
    kind: "DevCluster",
    change: { spec: { backend: null } },
    problem: "spec.backend: Required value",
  },
  "a DevClusterTemplate without a template": {
    kind: "DevClusterTemplate",
    change: { spec: { template: null } },
    problem: "spec.template: Required value",
  },
  "a simulated machine that does not say how long it takes": {
    kind: "DevMachine",
    change: { spec: { backend: { inMemory: { etcd: { provisioning: {} } } } } },
    problem: "spec.backend.inMemory.etcd.provisioning.startupDuration: Required value",
  },
  "a mount that is a text": {
    kind: "DevMachineTemplate",
    change: machineSpec({ backend: { docker: { extraMounts: ["/a"] } } }),
    problem:
      'spec.template.spec.backend.docker.extraMounts[0]: Invalid value: "string": spec.template.spec.backend.docker.extraMounts[0] in body must be of type object: "string"',
  },
  "a topology without a version": {
    kind: "Cluster",
    change: { spec: { topology: { version: null } } },
    problem:
      "[spec.topology.version: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]",
  },
  "a ClusterClass without templates": {
    kind: "ClusterClass",
    change: { spec: { infrastructure: null } },
    problem:
      "[spec.infrastructure: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]",
  },
  "a patch with an unknown operation": {
    kind: "ClusterClass",
    change: {
      spec: {
        patches: [
          {
            name: "p",
            definitions: [
              {
                selector: { apiVersion: "example.com/v1", kind: "Blue", matchResources: { controlPlane: true } },
                jsonPatches: [{ op: "move", path: "/spec" }],
              },
            ],
          },
        ],
      },
    },
    problem:
      '[spec.patches[0].definitions[0].jsonPatches[0].op: Unsupported value: "move": supported values: "add", "replace", "remove", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
  "a health check on a condition that it sets itself": {
    kind: "MachineHealthCheck",
    change: {
      spec: { checks: { unhealthyMachineConditions: [{ type: "Ready", status: "False", timeoutSeconds: 1 }] } },
    },
    problem:
      'spec.checks.unhealthyMachineConditions[0].type: Invalid value: "Ready": type must not be one of: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
  },
  "the same machines twice": {
    kind: "MachineDrainRule",
    change: { spec: { machines: [{ selector: {} }, { selector: {} }] } },
    problem: "spec.machines: Invalid value: entries in machines must be unique",
  },
};

/** The valid object of the kind with the change. */
export function objectOf({ kind, change }: InvalidObject): KubeObject {
  const valid = validObjects.find((object) => object.kind === kind);
  if (valid === undefined) throw new Error(`there is no valid ${kind}`);
  // A merge patch of members leaves apiVersion, kind and metadata alone.
  const { apiVersion, metadata } = valid;
  return { ...objectIn(applyMergePatch(asJson(valid), change)), apiVersion, kind, metadata };
}

function objectIn(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new Error("the change replaces the whole object");
  return value;
}
