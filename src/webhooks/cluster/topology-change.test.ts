import { describe, expect, test } from "vitest";
import type { Cluster } from "#api";
import type { Json } from "#machinery";
import { errorsOf, type ReviewCase, reviewCase } from "../test-review.ts";
import { clusterWebhook } from "./cluster.ts";
import { classes, cluster, gates, known, plain, topology } from "./test-cluster.ts";

describe("a topology that is changed", () => {
  const unsafeVersion = { annotations: { "unsafe.topology.cluster.x-k8s.io/disable-update-version-check": "" } };
  const blocked = { upgradeBlockers: () => Promise.resolve(["control plane is currently provisioning", "b"]) };

  test.each<[string, ReviewCase]>([
    ["has not changed", { ...known, old: {}, lookups: { ...classes(), ...blocked }, errors: [] }],
    ["goes to the next minor version", { ...known, old: topology({ version: "v1.33.9" }), errors: [] }],
    ["goes from a candidate to its release", { ...known, old: topology({ version: "v1.34.1-rc.1" }), errors: [] }],
    [
      "goes far along the versions of its class",
      {
        gates,
        lookups: classes({ spec: { kubernetesVersions: ["v1.31.0", "v1.34.1"] } }),
        old: topology({ version: "v1.31.0" }),
        errors: [],
      },
    ],
    [
      "goes far with an extension that plans it",
      {
        gates,
        lookups: classes({ spec: { upgrade: { external: { generateUpgradePlanExtension: "plan.ext" } } } }),
        old: topology({ version: "v1.31.0" }),
        errors: [],
      },
    ],
    [
      "goes anywhere if the user insists",
      { ...known, change: { metadata: unsafeVersion }, old: topology({ version: "v1.40.0" }), errors: [] },
    ],
    [
      "goes to a class of the same kinds",
      { gates, lookups: classes({}, {}), old: topology({ classRef: { name: "other" } }), errors: [] },
    ],
    [
      "appears although the Cluster had none, if the user insists",
      {
        ...known,
        change: {
          metadata: { annotations: { "unsafe.topology.cluster.x-k8s.io/disable-update-class-name-check": "" } },
          spec: asChange(plain),
        },
        old: { spec: { topology: null, ...asChange(plain) } },
        errors: [],
      },
    ],
  ])("is taken if it %s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterWebhook, cluster, testCase))).toEqual([]);
  });

  test.each<[string, ReviewCase]>([
    [
      "appears although the Cluster had none",
      {
        ...known,
        change: { spec: asChange(plain) },
        old: { spec: { topology: null, ...asChange(plain) } },
        errors: ["spec.topology.class: Forbidden: classRef cannot be set on an existing Cluster"],
      },
    ],
    [
      "has a class that is not there",
      { gates, old: {}, errors: ["spec.topology.class: Internal error: ClusterClass default/quick not found"] },
    ],
    [
      "had a class that is not there",
      {
        ...known,
        old: topology({ classRef: { name: "gone", namespace: "far" } }),
        errors: [
          'spec.topology.class: Forbidden: valid ClusterClass with name "far/gone" could not be retrieved, change from class ' +
            '"far/gone" to class "default/quick" cannot be validated',
        ],
      },
    ],
    [
      "goes to a class of other kinds",
      {
        gates,
        lookups: classes(
          {},
          { spec: { controlPlane: { templateRef: { apiVersion: "a.b/v1", kind: "OldTemplate" } } } },
        ),
        old: topology({ classRef: { name: "other" } }),
        errors: [
          'spec.controlPlane.templateRef.apiVersion: Forbidden: group of apiVersion cannot be changed from "a.b" to ' +
            '"infrastructure.cluster.x-k8s.io" to prevent incompatible changes in the Clusters',
          'spec.controlPlane.templateRef.kind: Forbidden: kind cannot be changed from "OldTemplate" to "PlaneTemplate" to ' +
            "prevent incompatible changes in the Clusters",
        ],
      },
    ],
    [
      "goes back to an older version",
      {
        ...known,
        old: topology({ version: "v1.34.2" }),
        errors: [
          'spec.topology.version: Invalid value: "v1.34.1": version cannot be decreased from "1.34.2" to "1.34.1"',
        ],
      },
    ],
    [
      "goes too far",
      {
        ...known,
        old: topology({ version: "v1.32.9" }),
        errors: [
          'spec.topology.version: Invalid value: "v1.34.1": version cannot be increased from "1.32.9" to "1.34.1"',
        ],
      },
    ],
    [
      "goes on while a hook blocks",
      {
        ...known,
        change: {
          metadata: { annotations: { "runtime.cluster.x-k8s.io/pending-hooks": "BeforeX,AfterClusterUpgrade" } },
        },
        old: topology({ version: "v1.33.0" }),
        errors: [
          'spec.topology.version: Invalid value: "v1.34.1": version cannot be changed when the "AfterClusterUpgrade" hook is ' +
            "still blocking",
        ],
      },
    ],
    [
      "goes on while something is still upgrading",
      {
        gates,
        lookups: { ...classes(), ...blocked },
        old: topology({ version: "v1.33.0" }),
        errors: [
          'spec.topology.version: Invalid value: "v1.34.1": version cannot be changed: ' +
            "[control plane is currently provisioning, b]",
        ],
      },
    ],
  ])("is refused if it %s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterWebhook, cluster, testCase))).toEqual(testCase.errors);
  });

  test("comes with a warning if the user insists on a version", async () => {
    const insist: ReviewCase = { ...known, change: { metadata: unsafeVersion }, old: {}, errors: [] };
    expect(await reviewCase(clusterWebhook, cluster, insist)).toMatchObject({
      warnings: [
        "Skipping version validation for Cluster because annotation " +
          '"unsafe.topology.cluster.x-k8s.io/disable-update-version-check" is set.',
      ],
    });
  });
});

function asChange({ spec }: Cluster): { readonly infrastructureRef: Json } {
  return { infrastructureRef: { ...spec.infrastructureRef } };
}
