import type { ClusterClass, TemplateReference } from "#api";
import { quote } from "#base";
import { type FieldError, FieldPath, forbidden, InvalidGroupVersionError, parseGroupVersion } from "#machinery";

const spec = FieldPath.of("spec");

/** Clusters can go from one class to another: the objects that they are made of stay of the same kinds. */
export function compatibilityErrors(current: ClusterClass, desired: ClusterClass): readonly FieldError[] {
  const [from, to] = [current.spec, desired.spec];
  const at = spec.child("controlPlane");
  const [machines, newMachines] = [from.controlPlane.machineInfrastructure, to.controlPlane.machineInfrastructure];
  const fromWorkers = from.workers ?? {};
  const toWorkers = to.workers ?? {};
  return [
    ...kindErrors(
      from.infrastructure.templateRef,
      to.infrastructure.templateRef,
      spec.child("infrastructure", "templateRef"),
    ),
    ...kindErrors(from.controlPlane.templateRef, to.controlPlane.templateRef, at.child("templateRef")),
    ...(machines === undefined || newMachines === undefined
      ? []
      : kindErrors(machines.templateRef, newMachines.templateRef, at.child("machineInfrastructure", "templateRef"))),
    ...workerErrors(fromWorkers.machineDeployments, toWorkers.machineDeployments, "machineDeployments"),
    ...workerErrors(fromWorkers.machinePools, toWorkers.machinePools, "machinePools"),
  ];
}

interface WorkerClass {
  readonly class: string;
  readonly infrastructure: { readonly templateRef: TemplateReference };
}

function workerErrors(
  current: readonly WorkerClass[] | undefined = [],
  desired: readonly WorkerClass[] | undefined = [],
  field: string,
): readonly FieldError[] {
  return desired.flatMap((worker, index) => {
    const before = current.find((candidate) => candidate.class === worker.class);
    const at = spec.child("workers", field).index(index).child("infrastructure", "templateRef");
    return before === undefined
      ? []
      : kindErrors(before.infrastructure.templateRef, worker.infrastructure.templateRef, at);
  });
}

function kindErrors(current: TemplateReference, desired: TemplateReference, at: FieldPath): readonly FieldError[] {
  const [from, to] = [groupOf(current.apiVersion), groupOf(desired.apiVersion)];
  const tail = "to prevent incompatible changes in the Clusters";
  const group = `group of apiVersion cannot be changed from ${quote(from)} to ${quote(to)} ${tail}`;
  const kind = `kind cannot be changed from ${quote(current.kind)} to ${quote(desired.kind)} ${tail}`;
  return [
    ...(from === to ? [] : [forbidden(at.child("apiVersion"), group)]),
    ...(current.kind === desired.kind ? [] : [forbidden(at.child("kind"), kind)]),
  ];
}

function groupOf(apiVersion: string): string {
  try {
    return parseGroupVersion(apiVersion).group;
  } catch (error) {
    if (error instanceof InvalidGroupVersionError) return "";
    throw error;
  }
}
