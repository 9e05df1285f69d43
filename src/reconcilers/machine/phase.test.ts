import { minutes, parseTimestamp } from "#base";
import { expect, test } from "vitest";
import type { MachineFacts } from "./machine-facts.ts";
import { phaseOf } from "./phase.ts";

const fresh: MachineFacts = {
  now: parseTimestamp("2025-01-15T12:00:00Z"),
  gracePeriod: minutes(5),
  cluster: { infrastructureProvisioned: true, controlPlaneInitialized: { kind: "pending" } },
  connection: { consecutiveFailures: 0 },
  machine: { deleting: false, infrastructureKind: "DevMachine", nodeConditionsReported: false },
  node: { kind: "absent" },
  bootstrap: { config: { kind: "unreferenced" }, dataSecretCreated: false },
  infrastructure: { object: { kind: "unreferenced" }, provisioned: false },
  update: { kind: "none" },
  deletion: { kind: "not-deleting" },
};

const bootstrapped = { ...fresh.bootstrap, dataSecretCreated: true };
const provisioned = { ...fresh.infrastructure, provisioned: true };
const named = { ...fresh.machine, providerID: "dev://1", nodeName: "n1" };

test.each<[string, Partial<MachineFacts>]>([
  ["Pending", {}],
  ["Provisioning", { bootstrap: bootstrapped }],
  [
    "Provisioned",
    { bootstrap: bootstrapped, infrastructure: provisioned, machine: { ...named, nodeName: undefined } as never },
  ],
  ["Running", { infrastructure: provisioned, machine: named }],
  ["Updating", { infrastructure: provisioned, machine: named, update: { kind: "in-progress", message: "" } }],
  ["Deleting", { infrastructure: provisioned, machine: { ...named, deleting: true } }],
])("a Machine is %s", (phase, change) => {
  const facts = JSON.parse(JSON.stringify({ ...fresh, ...change })) as MachineFacts;
  expect(phaseOf({}, facts)).toBe(phase);
});

test("a phase that nothing speaks against stays", () => {
  expect(phaseOf({ status: { phase: "Provisioning" } }, fresh)).toBe("Provisioning");
});
