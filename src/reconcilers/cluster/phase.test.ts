import { expect, test } from "vitest";
import { type PhaseFacts, phaseOf } from "./phase.ts";

const ref = { apiGroup: "g", kind: "K", name: "n" };
const controlPlaneEndpoint = { host: "h", port: 1 };
const fresh: PhaseFacts = { deleting: false, infrastructureProvisioned: false, spec: {} };

test.each<[why: string, change: Partial<PhaseFacts>, phase: string]>([
  ["names nothing", {}, "Pending"],
  ["names nothing any more", { before: "Provisioning" }, "Provisioning"],
  ["names its infrastructure", { spec: { infrastructureRef: ref } }, "Provisioning"],
  ["names its control plane", { spec: { controlPlaneRef: ref } }, "Provisioning"],
  ["has infrastructure and no endpoint", { infrastructureProvisioned: true }, "Pending"],
  ["has an endpoint and no infrastructure", { spec: { infrastructureRef: ref, controlPlaneEndpoint } }, "Provisioning"],
  [
    "has an endpoint without a port",
    { infrastructureProvisioned: true, spec: { infrastructureRef: ref, controlPlaneEndpoint: { host: "h", port: 0 } } },
    "Provisioning",
  ],
  ["has both", { infrastructureProvisioned: true, spec: { controlPlaneEndpoint } }, "Provisioned"],
  [
    "has both and goes",
    { infrastructureProvisioned: true, spec: { controlPlaneEndpoint }, deleting: true },
    "Deleting",
  ],
  ["goes before anything came", { deleting: true }, "Deleting"],
])("a Cluster that %s", (_, change, phase) => {
  expect(phaseOf({ ...fresh, ...change })).toBe(phase);
});
