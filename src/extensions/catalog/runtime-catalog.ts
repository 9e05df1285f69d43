import { type Catalog, createCatalog } from "./catalog.ts";
import { CanUpdateMachine, CanUpdateMachineSet, UpdateMachine } from "./in-place-hooks.ts";
import {
  AfterClusterUpgrade,
  AfterControlPlaneInitialized,
  AfterControlPlaneUpgrade,
  AfterWorkersUpgrade,
  BeforeClusterCreate,
  BeforeClusterDelete,
  BeforeClusterUpgrade,
  BeforeControlPlaneUpgrade,
  BeforeWorkersUpgrade,
  GenerateUpgradePlan,
} from "./lifecycle-hooks.ts";
import { Discovery } from "./runtime-hook.ts";
import { DiscoverVariables, GeneratePatches, ValidateTopology } from "./topology-hooks.ts";

/** All hooks of Cluster API. */
export const runtimeCatalog: Catalog = createCatalog("runtime", [
  Discovery,
  DiscoverVariables,
  GeneratePatches,
  ValidateTopology,
  BeforeClusterCreate,
  AfterControlPlaneInitialized,
  BeforeClusterUpgrade,
  BeforeControlPlaneUpgrade,
  AfterControlPlaneUpgrade,
  BeforeWorkersUpgrade,
  AfterWorkersUpgrade,
  AfterClusterUpgrade,
  BeforeClusterDelete,
  GenerateUpgradePlan,
  CanUpdateMachine,
  CanUpdateMachineSet,
  UpdateMachine,
]);
