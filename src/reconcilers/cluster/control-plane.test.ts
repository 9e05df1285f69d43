import { type Cluster, defaultFeatureGates } from "#api";
import { createFakeClock, seconds } from "#base";
import { dumpReader, type Looking, type Pass, type Reader } from "#control";
import { ApiError, type KubeObject } from "#machinery";
import { expect, test } from "vitest";
import { controlPlane } from "./control-plane.ts";
import type { ClusterFacts } from "./facts.ts";
import type { ClusterPorts } from "./ports.ts";
import { fine, noon } from "./test-facts.ts";
import { cluster } from "./test-objects.ts";

const ref = { apiGroup: "g.io", kind: "Plane", name: "cp" };
const object: Cluster = { ...cluster, spec: { controlPlaneRef: ref } };
const definition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "planes.g.io", labels: { "cluster.x-k8s.io/v1beta2": "v1" } },
};
const plane: KubeObject = { apiVersion: "g.io/v1", kind: "Plane", metadata: { namespace: "default", name: "cp" } };
const ports: ClusterPorts = {
  connectionTo: () => ({ consecutiveFailures: 0 }),
  remoteConnectionGracePeriod: seconds(50),
  machinePoolsRollOut: true,
  features: defaultFeatureGates,
  sources: [],
};

test("nothing is said about a Cluster whose control plane follows an unknown contract", async () => {
  const { signal } = new AbortController();
  const looking: Looking<Cluster, ClusterFacts, ClusterPorts> = {
    object,
    reader: forgetful(dumpReader([definition, plane])),
    facts: fine,
    ports,
    known: {},
    clock: createFakeClock(noon),
    signal,
  };
  const seen = await controlPlane.observe?.(looking);
  expect(seen).toMatchObject({
    controlPlane: { kind: "found", objectKind: "Plane" },
    initialization: {
      kind: "unversioned",
      error: expect.stringMatching(/^failed to get contract version for kind Plane: /),
    },
  });
  const pass = { object, facts: { ...fine, ...seen } } as unknown as Pass<Cluster, ClusterFacts, ClusterPorts>;
  expect(await controlPlane.run?.(pass)).toMatchObject({ kind: "abandon", error: { code: "PROVIDER_UNREADABLE" } });
});

/** Knows a definition the first time that it is asked for it. */
function forgetful(reader: Reader): Reader {
  let asked = 0;
  return {
    ...reader,
    async get(kind, key, options) {
      if (kind.kind !== "CustomResourceDefinition" || asked++ === 0) return await reader.get(kind, key, options);
      throw new ApiError({ httpCode: 500, reason: "InternalError", message: "the server is on fire" });
    },
  };
}
