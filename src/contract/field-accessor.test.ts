import { describe, expect, test } from "vitest";
import { describeError, hours, type Timestamp } from "#base";
import { deepFreeze, type Json, type KubeObject } from "#machinery";
import { bootstrapConfig } from "./bootstrap.ts";
import { controlPlane, controlPlaneTemplate } from "./control-plane.ts";
import { ContractError } from "./errors.ts";
import type { FieldAccessor } from "./field-accessor.ts";
import { emptyEndpointPaths, infraCluster, infraMachine, infraMachinePool, template } from "./infrastructure.ts";

const bare: KubeObject = { apiVersion: "infra.example.com/v1", kind: "Foo", metadata: { name: "x" } };

const machines = controlPlane.machineTemplate;

/** Fields with a value of theirs, and where they stand in this and in the older contract. */
const fields: readonly (readonly [FieldAccessor<unknown>, Json, string, string?])[] = [
  [infraCluster.controlPlaneEndpoint, { host: "h", port: 1 }, "spec.controlPlaneEndpoint"],
  [infraCluster.provisioned, true, "status.initialization.provisioned", "status.ready"],
  [infraMachine.providerID, "id", "spec.providerID"],
  [infraMachine.provisioned, false, "status.initialization.provisioned", "status.ready"],
  [infraMachine.addresses, [{ type: "Hostname", address: "a" }], "status.addresses"],
  [infraMachine.failureDomain, "fd", "status.failureDomain", "spec.failureDomain"],
  [infraMachine.failureReason, "r", "status.failureReason"],
  [infraMachine.failureMessage, "m", "status.failureMessage"],
  [infraMachinePool.providerIDList, ["a", "b"], "spec.providerIDList"],
  [infraMachinePool.replicas, 3, "status.replicas"],
  [infraMachinePool.infrastructureMachineKind, "Foo", "status.infrastructureMachineKind"],
  [bootstrapConfig.dataSecretCreated, true, "status.initialization.dataSecretCreated", "status.ready"],
  [bootstrapConfig.dataSecretName, "s", "status.dataSecretName"],
  [controlPlane.version, "v1.34.0", "spec.version"],
  [controlPlane.statusVersion, "v1.34.0", "status.version"],
  [controlPlane.initialized, true, "status.initialization.controlPlaneInitialized", "status.initialized"],
  [controlPlane.rolloutAfter, "2026-01-01T00:00:00Z", "spec.rollout.after"],
  [controlPlane.replicas, 3, "spec.replicas"],
  [controlPlane.upToDateReplicas, 3, "status.upToDateReplicas", "status.updatedReplicas"],
  [controlPlane.selector, "a=b", "status.selector"],
  [controlPlane.externalManagedControlPlane, true, "status.externalManagedControlPlane"],
  [machines.infrastructureRef, { apiGroup: "g", kind: "K", name: "n" }, "spec.machineTemplate.spec.infrastructureRef"],
  [
    machines.versionedInfrastructureRef,
    { apiVersion: "g/v1", kind: "K", name: "n", namespace: "ns" },
    "spec.machineTemplate.infrastructureRef",
  ],
  [machines.nodeDrainTimeoutSeconds, 5, "spec.machineTemplate.spec.deletion.nodeDrainTimeoutSeconds"],
  [
    machines.readinessGates,
    [{ conditionType: "A", polarity: "Negative" }],
    "spec.machineTemplate.spec.readinessGates",
    "spec.machineTemplate.readinessGates",
  ],
  [
    machines.taints,
    [{ key: "k", effect: "NoSchedule", propagation: "Always" }],
    "spec.machineTemplate.spec.taints",
    "spec.machineTemplate.taints",
  ],
];

describe.each(fields.map(([accessor, value, path, olderPath = path]) => ({ accessor, value, path, olderPath })))(
  "$path",
  ({ accessor, value, path, olderPath }) => {
    test("stands where the contract says", () => {
      expect(accessor.path.join(".")).toBe(path);
      expect(accessor.in("v1beta2").path.join(".")).toBe(path);
      expect(accessor.in("v1beta1").path.join(".")).toBe(olderPath);
    });

    test("is read as it was written, in both versions of the contract", () => {
      for (const one of [accessor, accessor.in("v1beta1")]) {
        const object = one.set(deepFreeze(bare), value);
        expect(one.get(object)).toEqual(value);
        expect(one.get(one.set(object, undefined))).toBeUndefined();
        expect(one.get(bare)).toBeUndefined();
      }
    });

    test("of a wrong type breaks the contract", () => {
      const wrong = { ...bare, spec: 5, status: "x" };
      expect(() => accessor.get(wrong)).toThrow(ContractError);
      expect(() => accessor.set(wrong, value)).toThrow(ContractError);
    });
  },
);

test("a wrong type is said with the path, the value and both types", () => {
  const object = { ...bare, spec: { providerID: 5 } };
  expect(failure(() => infraMachine.providerID.get(object))).toBe(
    "failed to get .spec.providerID from object: .spec.providerID accessor error: 5 is of the type int64, expected string",
  );
  expect(failure(() => infraMachine.provisioned.get({ ...bare, status: "x" }))).toBe(
    "failed to get .status.initialization.provisioned from object: " +
      ".status.initialization accessor error: x is of the type string, expected map[string]interface{}",
  );
  expect(failure(() => infraMachine.providerID.set({ ...bare, spec: "x" }, "id"))).toBe(
    "failed to set path .spec.providerID of object infra.example.com/v1, Kind=Foo: " +
      "value cannot be set because .spec is not a map[string]interface{}",
  );
});

test("a wrong type inside of a list is said with its place", () => {
  const object = {
    ...bare,
    status: {
      addresses: [
        { type: "Hostname", address: "a" },
        { type: "Other", address: "b" },
      ],
    },
  };
  expect(failure(() => infraMachine.addresses.get(object))).toMatch(
    /^failed to get \.status\.addresses from object: \.status\.addresses\[1\]\.type accessor error: Other is of the type string/,
  );
});

test("a number with a fraction is no count", () => {
  expect(failure(() => controlPlane.replicas.get({ ...bare, spec: { replicas: 1.5 } }))).toBe(
    "failed to get .spec.replicas from object: .spec.replicas accessor error: 1.5 is of the type float64, expected int64",
  );
});

describe("failure domains", () => {
  const sorted = [
    { name: "a", controlPlane: false },
    { name: "b", controlPlane: true, attributes: { zone: "1" } },
  ];

  test("are read by name, each saying whether control planes go there", () => {
    const list = [{ name: "b", controlPlane: true, attributes: { zone: "1" } }, { name: "a" }];
    expect(infraCluster.failureDomains.get({ ...bare, status: { failureDomains: list } })).toEqual(sorted);
  });

  test("are a map in contract v1beta1", () => {
    const map = { b: { controlPlane: true, attributes: { zone: "1" } }, a: {} };
    const older = infraCluster.failureDomains.in("v1beta1");
    expect(older.get({ ...bare, status: { failureDomains: map } })).toEqual(sorted);
    expect(older.get(older.set(bare, sorted))).toEqual(sorted);
    expect(() => older.get({ ...bare, status: { failureDomains: [] } })).toThrow(ContractError);
  });
});

describe("metadata of a template", () => {
  const metadata = { labels: { a: "b" }, annotations: { c: "d" } };

  test.each([
    ["template", template.metadata],
    ["controlPlane.machineTemplate", controlPlane.machineTemplate.metadata],
    ["controlPlaneTemplate.machineTemplate", controlPlaneTemplate.machineTemplate.metadata],
  ])("of %s is read as it was written", (_, accessor) => {
    expect(accessor.get(accessor.set(bare, metadata))).toEqual(metadata);
    expect(accessor.in("v1beta1")).toBe(accessor);
  });

  test("is empty where there is none, and empty maps are not written", () => {
    expect(template.metadata.get(bare)).toEqual({ labels: {}, annotations: {} });
    const written = template.metadata.set(template.metadata.set(bare, metadata), { labels: {}, annotations: {} });
    expect(written["spec"]).toEqual({ template: { metadata: {} } });
    expect(template.metadata.set(bare, {})).toEqual(bare);
  });
});

test("lengths of time are written as Go writes them", () => {
  const field = machines.nodeDrainTimeout;
  const object = field.set(bare, hours(1));
  expect(object["spec"]).toEqual({ machineTemplate: { nodeDrainTimeout: "1h0m0s" } });
  expect(field.get(object)).toBe(hours(1));
  expect(failure(() => field.get({ ...bare, spec: { machineTemplate: { nodeDrainTimeout: "soon" } } }))).toMatch(
    /^failed to get \.spec\.machineTemplate\.nodeDrainTimeout from object: /,
  );
});

test("times are read as the server stores them", () => {
  const after: Timestamp | undefined = controlPlane.rolloutAfter.get({
    ...bare,
    spec: { rollout: { after: "2026-01-01T01:00:00+01:00" } },
  });
  expect(after).toBe("2026-01-01T00:00:00Z");
});

test.each<[Json, readonly string[]]>([
  [{ host: "", port: 0 }, ["spec.controlPlaneEndpoint.host", "spec.controlPlaneEndpoint.port"]],
  [{ host: "h", port: 0 }, ["spec.controlPlaneEndpoint.port"]],
  [{ host: "h", port: 1 }, []],
  [{}, []],
])("of the endpoint %j these parts say nothing: %j", (controlPlaneEndpoint, empty) => {
  const paths = emptyEndpointPaths({ ...bare, spec: { controlPlaneEndpoint } });
  expect(paths.map((path) => path.join("."))).toEqual(empty);
});

function failure(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return describeError(error);
  }
  return "";
}
