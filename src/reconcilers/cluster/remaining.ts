import type { KubeObject } from "#machinery";
import { type Descendants, isControlPlane } from "./descendant-facts.ts";

const mostNames = 5;

/** What is still there of a Cluster that goes, a line for each kind. */
export function remaining({ machineDeployments, machineSets, machinePools, machines }: Descendants): string {
  const lines: readonly (readonly [string, readonly KubeObject[]])[] = [
    ["Control plane Machines", machines.filter(isControlPlane)],
    ["MachineDeployments", machineDeployments],
    ["MachineSets", machineSets],
    ["MachinePools", machinePools],
    ["Worker Machines", machines.filter((machine) => !isControlPlane(machine))],
  ];
  return lines
    .filter(([, objects]) => objects.length > 0)
    .map(([what, objects]) => `* ${what}: ${namesOf(objects)}`)
    .join("\n");
}

function namesOf(objects: readonly KubeObject[]): string {
  const names = objects.map(({ metadata }) => metadata.name ?? "");
  const shown = names.slice(0, mostNames).join(", ");
  return names.length > mostNames ? `${shown}, ... (${names.length - mostNames} more)` : shown;
}
