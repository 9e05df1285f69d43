import { minutes, parseTimestamp } from "#base";
import { type Condition, decide, False, lastKnown, mirrored, True, Unknown } from "#conditions";
import { everyRow } from "#testkit";
import { describe, expect, test } from "vitest";
import { Available } from "./available.ts";
import { BootstrapConfigReady } from "./bootstrap-config-ready.ts";
import { groupControlPlaneComponents } from "./control-plane-components.ts";
import { Deleting } from "./deleting.ts";
import { InfrastructureReady } from "./infrastructure-ready.ts";
import type { DeletionFacts, MachineFacts } from "./machine-facts.ts";
import { Ready, summarizeReadiness } from "./ready.ts";
import { Updating } from "./updating.ts";

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const eleven = parseTimestamp("2025-01-15T11:00:00Z");
const almostNoon = parseTimestamp("2025-01-15T11:59:50Z");

const ready = { kind: "reported", status: "True", reason: "Up", message: "", since: eleven } as const;

const fine: MachineFacts = {
  now: noon,
  gracePeriod: minutes(5),
  cluster: { infrastructureProvisioned: true, controlPlaneInitialized: { kind: "done", since: eleven } },
  connection: { lastProbeSuccess: noon, consecutiveFailures: 0 },
  machine: { deleting: false, infrastructureKind: "DevMachine", nodeConditionsReported: true },
  node: { kind: "absent" },
  bootstrap: { config: { kind: "found", objectKind: "DevConfig", condition: ready }, dataSecretCreated: true },
  infrastructure: { object: { kind: "found", objectKind: "DevMachine", condition: ready }, provisioned: true },
  update: { kind: "none" },
  deletion: { kind: "not-deleting" },
};

const leaving = { ...fine.machine, deleting: true };
const silent = { kind: "silent" } as const;
const garbage = { kind: "invalid", error: "garbage" } as const;

everyRow(BootstrapConfigReady, fine, {
  "data-secret-provided": {
    given: { bootstrap: { config: { kind: "unreferenced" }, dataSecretCreated: true } },
    report: True("DataSecretProvided"),
  },
  invalid: { given: { bootstrap: config(garbage, true) }, report: Unknown("InvalidConditionReported", "garbage") },
  reported: { given: {}, report: mirrored({ status: "True", reason: "Up", message: "", since: eleven }) },
  created: { given: { bootstrap: config(silent, true) }, report: True("Ready") },
  "not-created": {
    given: { bootstrap: config(silent, false) },
    report: False("NotReady", "DevConfig status.initialization.dataSecretCreated is false"),
  },
  unreadable: {
    given: {
      bootstrap: { config: { kind: "failed", objectKind: "DevConfig", error: "no answer" }, dataSecretCreated: true },
    },
    report: Unknown("InternalError", "no answer"),
  },
  "deleted-with-owner": {
    given: {
      bootstrap: { config: { kind: "absent", objectKind: "DevConfig" }, dataSecretCreated: true },
      machine: leaving,
    },
    report: False("ObjectDeleted", "DevConfig has been deleted"),
  },
  "does-not-exist": [
    {
      given: { bootstrap: { config: { kind: "absent", objectKind: "DevConfig" }, dataSecretCreated: true } },
      report: False("ObjectDoesNotExist", "DevConfig does not exist"),
    },
    {
      given: {
        bootstrap: { config: { kind: "absent", objectKind: "DevConfig" }, dataSecretCreated: false },
        machine: leaving,
      },
      report: False("ObjectDoesNotExist", "DevConfig does not exist"),
    },
  ],
});

const absent = { kind: "absent", objectKind: "DevMachine" } as const;

everyRow(InfrastructureReady, fine, {
  invalid: { given: { infrastructure: object(garbage, true) }, report: Unknown("InvalidConditionReported", "garbage") },
  reported: { given: {}, report: mirrored({ status: "True", reason: "Up", message: "", since: eleven }) },
  provisioned: { given: { infrastructure: object(silent, true) }, report: True("Ready") },
  unreadable: {
    given: {
      infrastructure: { object: { kind: "failed", objectKind: "DevMachine", error: "no answer" }, provisioned: true },
    },
    report: Unknown("InternalError", "no answer"),
  },
  "deleted-with-owner": {
    given: { infrastructure: { object: absent, provisioned: true }, machine: leaving },
    report: False("ObjectDeleted", "DevMachine has been deleted"),
  },
  "deleted-under-owner": {
    given: { infrastructure: { object: absent, provisioned: true } },
    report: False("ObjectDeleted", "DevMachine has been deleted while the Machine still exists"),
  },
  "does-not-exist": [
    {
      given: { infrastructure: { object: absent, provisioned: false } },
      report: False("ObjectDoesNotExist", "DevMachine does not exist"),
    },
    {
      given: { infrastructure: { object: absent, provisioned: false }, machine: leaving },
      report: False("ObjectDoesNotExist", "DevMachine does not exist"),
    },
  ],
  "not-provisioned": {
    given: { infrastructure: object(silent, false) },
    report: False("NotReady", "DevMachine status.initialization.provisioned is false"),
  },
});

everyRow(Updating, fine, {
  failed: { given: { update: { kind: "failed", message: "M" } }, report: True("InPlaceUpdateFailed", "M") },
  updating: { given: { update: { kind: "in-progress", message: "M" } }, report: True("InPlaceUpdating", "M") },
  "not-updating": { given: {}, report: False("NotUpdating") },
});

everyRow(Deleting, fine, {
  "not-deleting": { given: {}, report: False("NotDeleting") },
  "not-looked-keep": { given: at({ kind: "not-looked" }), report: lastKnown },
  failed: { given: at({ kind: "failed", error: "no answer" }), report: True("InternalError", "no answer") },
  started: { given: at({ kind: "started" }), report: True("Deleting", "Deletion started") },
  "pre-drain-hooks": {
    given: at({ kind: "pre-drain-hooks", hooks: ["a", "b"] }),
    report: True("WaitingForPreDrainHook", "Waiting for pre-drain hooks to succeed (hooks: a,b)"),
  },
  draining: { given: at({ kind: "draining", message: "M" }), report: True("DrainingNode", "M") },
  volumes: { given: at({ kind: "volumes", message: "M" }), report: True("WaitingForVolumeDetach", "M") },
  "pre-terminate-hooks": {
    given: at({ kind: "pre-terminate-hooks", hooks: ["a"] }),
    report: True("WaitingForPreTerminateHook", "Waiting for pre-terminate hooks to succeed (hooks: a)"),
  },
  infrastructure: {
    given: at({ kind: "infrastructure", message: "M" }),
    report: True("WaitingForInfrastructureDeletion", "M"),
  },
  bootstrap: { given: at({ kind: "bootstrap", message: "M" }), report: True("WaitingForBootstrapDeletion", "M") },
  node: { given: at({ kind: "node", message: "M" }), report: True("DeletingNode", "M") },
  completed: { given: at({ kind: "completed" }), report: True("DeletionCompleted", "Deletion completed") },
});

everyRow(
  Ready,
  { summary: { kind: "made", status: "True", message: "" } },
  {
    "summary-failed": { given: { summary: { kind: "failed", error: "E" } }, report: Unknown("InternalError", "E") },
    "not-ready": {
      given: { summary: { kind: "made", status: "False", message: "M" } },
      report: False("NotReady", "M"),
    },
    unknown: {
      given: { summary: { kind: "made", status: "Unknown", message: "M" } },
      report: Unknown("ReadyUnknown", "M"),
    },
    ready: { given: {}, report: True("Ready") },
  },
);

everyRow(
  Available,
  { now: noon, ready: { kind: "reported", isTrue: true, since: eleven }, minReadySeconds: 30 },
  {
    "ready-missing": {
      given: { ready: { kind: "missing" } },
      report: Unknown("InternalError", "Ready condition must be set before setting the available condition"),
    },
    "not-ready": {
      given: { ready: { kind: "reported", isTrue: false, since: eleven } },
      report: False("NotReady"),
    },
    waiting: {
      given: { ready: { kind: "reported", isTrue: true, since: almostNoon } },
      report: False("WaitingForMinReadySeconds"),
      next: "requeue",
    },
    available: { given: {}, report: True("Available") },
  },
);

test("a Machine that became ready in a second after its pass began is available without minReadySeconds", () => {
  const { row } = decide(Available, {
    now: almostNoon,
    ready: { kind: "reported", isTrue: true, since: noon },
    minReadySeconds: 0,
  });
  expect(row.id).toBe("available");
});

describe("Ready of a Machine", () => {
  const healthy: readonly Condition[] = [
    condition("Deleting", "False", "NotDeleting"),
    condition("Updating", "False", "NotUpdating"),
    condition("BootstrapConfigReady", "True", "Ready"),
    condition("InfrastructureReady", "True", "Ready"),
    condition("NodeHealthy", "True", "NodeHealthy"),
  ];
  const summary = (conditions: readonly Condition[], options: Partial<Parameters<typeof summarizeReadiness>[1]> = {}) =>
    summarizeReadiness(
      { owner: { kind: "Machine", name: "m1", isControlPlaneMachine: false }, conditions },
      { now: noon, gates: [], ...options },
    ).summary;

  test("is True where nothing is wrong, though no health check was made", () => {
    expect(summary(healthy)).toEqual({ kind: "made", status: "True", message: "" });
  });

  test("names what is not reported", () => {
    expect(summary(healthy.slice(0, 4))).toEqual({
      kind: "made",
      status: "Unknown",
      message: "* NodeHealthy: Condition not yet reported",
    });
  });

  test("counts a gate with negative polarity the other way round", () => {
    const gates = [{ conditionType: "Rebooting", polarity: "Negative" as const }];
    expect(summary([...healthy, condition("Rebooting", "False", "No")], { gates }).kind).toBe("made");
    expect(summary([...healthy, condition("Rebooting", "True", "Yes", "now")], { gates })).toEqual({
      kind: "made",
      status: "False",
      message: "* Rebooting: now",
    });
  });

  test("says in short how far a deletion is, and takes missing objects for granted then", () => {
    const conditions = [
      condition("Deleting", "True", "DrainingNode", "* Pod p: failed to evict Pod, waiting for completion"),
      condition("Updating", "False", "NotUpdating"),
      condition("BootstrapConfigReady", "False", "ObjectDeleted", "gone"),
      condition("InfrastructureReady", "False", "ObjectDoesNotExist", "gone"),
      condition("NodeHealthy", "False", "NodeDeleted", "gone"),
    ];
    expect(summary(conditions, { deletion: { since: almostNoon } })).toEqual({
      kind: "made",
      status: "False",
      message: "* Deleting: Machine deletion in progress, stage: DrainingNode",
    });
    expect(summary(conditions, { deletion: { since: eleven, drainSince: eleven } })).toEqual({
      kind: "made",
      status: "False",
      message:
        "* Deleting: Machine deletion in progress since more than 15m, stage: DrainingNode, delay likely due to Pod eviction errors, Pods not completed yet",
    });
  });

  test("a gate that names Ready itself cannot be summed up", () => {
    expect(summary(healthy, { gates: [{ conditionType: "Ready" }] }).kind).toBe("failed");
  });
});

describe("control plane components that say the same", () => {
  test.each([
    [["* APIServerPodHealthy: M", "* SchedulerPodHealthy: M"], ["* Control plane components: M"]],
    [
      ["* Deleting: D", "* APIServerPodHealthy: M", "* EtcdPodHealthy: M", "* X: Y"],
      ["* Deleting: D", "* Control plane components: M", "* X: Y"],
    ],
    [
      ["* APIServerPodHealthy: M", "* SchedulerPodHealthy: N"],
      ["* APIServerPodHealthy: M", "* SchedulerPodHealthy: N"],
    ],
    [
      ["* APIServerPodHealthy: M", "no name"],
      ["* APIServerPodHealthy: M", "no name"],
    ],
  ])("%j become %j", (entries, grouped) => {
    expect(groupControlPlaneComponents(entries)).toEqual(grouped);
  });
});

function config(reported: typeof silent | typeof garbage, dataSecretCreated: boolean) {
  return { config: { kind: "found", objectKind: "DevConfig", condition: reported } as const, dataSecretCreated };
}

function object(reported: typeof silent | typeof garbage, provisioned: boolean) {
  return { object: { kind: "found", objectKind: "DevMachine", condition: reported } as const, provisioned };
}

function at(deletion: DeletionFacts): Partial<MachineFacts> {
  return { machine: leaving, deletion };
}

function condition(type: string, status: Condition["status"], reason: string, message = ""): Condition {
  return { type, status, reason, message };
}
