import type { ClusterClass, TemplateReference } from "#api";
import { quote } from "#base";
import { type FieldError, FieldPath, invalid, InvalidGroupVersionError, parseGroupVersion, required } from "#machinery";

const spec = FieldPath.of("spec");
const suffix = "Template";

/** Every template of a class is named in full and is one. */
export function templateErrors({
  spec: { infrastructure, controlPlane, workers },
}: ClusterClass): readonly FieldError[] {
  const machines = controlPlane.machineInfrastructure;
  const ofWorkers = (["machineDeployments", "machinePools"] as const).flatMap((field) =>
    (workers?.[field] ?? []).flatMap((worker, index) => {
      const at = spec.child("workers", field).index(index).child("template");
      return [
        ...referenceErrors(worker.bootstrap.templateRef, at.child("bootstrap")),
        ...referenceErrors(worker.infrastructure.templateRef, at.child("infrastructure")),
      ];
    }),
  );
  return [
    ...referenceErrors(infrastructure.templateRef, spec.child("infrastructure")),
    ...referenceErrors(controlPlane.templateRef, spec.child("controlPlane")),
    ...(machines === undefined
      ? []
      : referenceErrors(machines.templateRef, spec.child("controlPlane", "machineInfrastructure"))),
    ...ofWorkers,
  ];
}

/** Classes of workers have names of their own. */
export function repeatedClassErrors({ spec: { workers } }: ClusterClass): readonly FieldError[] {
  const fields = { machineDeployments: "MachineDeployment", machinePools: "MachinePool" } as const;
  return (["machineDeployments", "machinePools"] as const).flatMap((field) => {
    const classes = (workers?.[field] ?? []).map((worker) => worker.class);
    return classes.flatMap((name, index) => {
      if (classes.indexOf(name) === index) return [];
      const kind = fields[field];
      const why = `${kind} class must be unique. ${kind} with class ${quote(name)} is defined more than once`;
      return [invalid(spec.child("workers", field).index(index).child("class"), name, why)];
    });
  });
}

function referenceErrors({ name, kind, apiVersion }: TemplateReference, at: FieldPath): readonly FieldError[] {
  const isTemplate = kind.length > suffix.length && kind.endsWith(suffix);
  const why = `template kind must be of form "<name>${suffix}"`;
  return [
    ...(name === "" ? [required(at.child("ref", "name"), "template name must be defined")] : []),
    ...(isTemplate ? [] : [invalid(at.child("ref", "kind"), kind, why)]),
    ...apiVersionErrors(apiVersion, at.child("ref", "apiVersion")),
  ];
}

function apiVersionErrors(apiVersion: string, at: FieldPath): readonly FieldError[] {
  try {
    const { group, version } = parseGroupVersion(apiVersion);
    return group === "" && version === "" ? [required(at, "template apiVersion must be defined")] : [];
  } catch (error) {
    if (!(error instanceof InvalidGroupVersionError)) throw error;
    const why = `template apiVersion must be a valid Kubernetes apiVersion: ${error.message}`;
    return [invalid(at, apiVersion, why)];
  }
}
