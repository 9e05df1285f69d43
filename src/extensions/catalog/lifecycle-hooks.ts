import type { Cluster } from "#api";
import { s } from "#machinery";
import { defineHoldingHook, defineRuntimeHook } from "./runtime-hook.ts";

const cluster = s.embedded<Cluster>().describe("The Cluster.");
const upgradeSteps = s.list(s.object({ version: s.string().describe("A Kubernetes version.") }));

const upgrade = {
  cluster,
  fromKubernetesVersion: s.string().describe("The version that the cluster has."),
  toKubernetesVersion: s.string().describe("The version that it is upgraded to."),
  controlPlaneUpgrades: upgradeSteps.describe("The versions that the control plane still goes through.").optional(),
  workersUpgrades: upgradeSteps.describe("The versions that the workers still go through.").optional(),
};

const upgraded = {
  cluster,
  kubernetesVersion: s.string().describe("The version that was reached."),
  controlPlaneUpgrades: upgradeSteps.describe("The versions that the control plane still goes through.").optional(),
  workersUpgrades: upgradeSteps.describe("The versions that the workers still go through.").optional(),
};

/** Before any object of a topology is made; can hold back. */
export const BeforeClusterCreate = defineHoldingHook({
  hook: "BeforeClusterCreate",
  summary: "Called before any object of a new cluster with a topology is made; holds the creation back.",
  request: { cluster },
});

/** Once, after the control plane was initialized; holds nothing back. */
export const AfterControlPlaneInitialized = defineRuntimeHook({
  hook: "AfterControlPlaneInitialized",
  summary: "Called once after the control plane of a cluster was initialized.",
  request: { cluster },
});

/** Before an upgrade begins; can hold back. */
export const BeforeClusterUpgrade = defineHoldingHook({
  hook: "BeforeClusterUpgrade",
  summary: "Called before the upgrade of a cluster begins; holds it back.",
  request: upgrade,
});

/** Before each version of the control plane; can hold back. */
export const BeforeControlPlaneUpgrade = defineHoldingHook({
  hook: "BeforeControlPlaneUpgrade",
  summary: "Called before the control plane goes to its next version; holds it back.",
  request: upgrade,
});

/** After each version of the control plane; can hold back the workers. */
export const AfterControlPlaneUpgrade = defineHoldingHook({
  hook: "AfterControlPlaneUpgrade",
  summary: "Called after the control plane has reached a version; holds back what follows.",
  request: upgraded,
});

/** Before each version of the workers; can hold back. */
export const BeforeWorkersUpgrade = defineHoldingHook({
  hook: "BeforeWorkersUpgrade",
  summary: "Called before the workers go to their next version; holds them back.",
  request: upgrade,
});

/** After each version of the workers; can hold back what follows. */
export const AfterWorkersUpgrade = defineHoldingHook({
  hook: "AfterWorkersUpgrade",
  summary: "Called after the workers have reached a version; holds back what follows.",
  request: upgraded,
});

/** After everything is upgraded; can hold back the next upgrade. */
export const AfterClusterUpgrade = defineHoldingHook({
  hook: "AfterClusterUpgrade",
  summary: "Called after a whole cluster has been upgraded; holds back the next upgrade.",
  request: { cluster, kubernetesVersion: upgraded.kubernetesVersion },
});

/** Before anything of a cluster is deleted; can hold back. */
export const BeforeClusterDelete = defineHoldingHook({
  hook: "BeforeClusterDelete",
  summary: "Called before anything of a cluster is deleted; holds the deletion back.",
  request: { cluster },
});

/** Plans the versions between the old and the new one. */
export const GenerateUpgradePlan = defineRuntimeHook({
  hook: "GenerateUpgradePlan",
  summary: "Asks which versions a cluster goes through on its way to a new one.",
  request: {
    cluster,
    fromControlPlaneKubernetesVersion: s.string().describe("The version of the control plane."),
    fromWorkersKubernetesVersion: s
      .string()
      .describe("The lowest version of the workers, if there are any.")
      .optional(),
    toKubernetesVersion: s.string().describe("The version to reach."),
  },
  response: {
    controlPlaneUpgrades: s
      .list(s.object({ version: s.string({ default: "" }).describe("A Kubernetes version.") }), { default: [] })
      .describe("The versions of the control plane, in their order, the wished one last."),
    workersUpgrades: s
      .list(s.object({ version: s.string({ default: "" }).describe("A Kubernetes version.") }), { default: [] })
      .describe("The versions of the workers; empty: as few as the version skew allows."),
  },
  onlyAsks: true,
});
