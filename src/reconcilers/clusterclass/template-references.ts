import { ClusterClass } from "#api";
import type { ObjectReference } from "#contract";
import type { Reader } from "#control";
import { describeGroupKind, keyOf, kindOf, type KubeObject, type ObjectKey } from "#machinery";

/** Everything that a ClusterClass says about a template. */
export type TemplateReference = Required<Omit<ObjectReference, "namespace">> & { readonly namespace: string };

/** The templates that a class names, each once, in the order in which it names them. */
export function templateReferences({ metadata, spec }: ClusterClass): readonly TemplateReference[] {
  const { namespace = "" } = metadata;
  const { infrastructure, controlPlane, workers } = spec;
  const named = [
    infrastructure,
    controlPlane,
    controlPlane.machineInfrastructure,
    ...[...(workers?.machineDeployments ?? []), ...(workers?.machinePools ?? [])].flatMap((worker) => [
      worker.bootstrap,
      worker.infrastructure,
    ]),
  ];
  const references = named.flatMap((template) => {
    const { apiVersion = "", kind = "", name = "" }: ObjectReference = template?.templateRef ?? {};
    return `${apiVersion}${kind}${name}` === "" ? [] : [{ apiVersion, kind, name, namespace }];
  });
  return [...new Map(references.map((reference) => [JSON.stringify(reference), reference])).values()];
}

/** The classes that name a template, in whatever version. */
export async function classesNaming(
  template: KubeObject,
  { reader, signal }: { readonly reader: Pick<Reader, "list">; readonly signal: AbortSignal },
): Promise<readonly ObjectKey[]> {
  const { namespace = "", name = "" } = template.metadata;
  const groupKind = describeGroupKind(kindOf(template));
  const classes = await reader.list(ClusterClass, { namespace, signal });
  return classes
    .filter((clusterClass) =>
      templateReferences(clusterClass).some(
        (reference) => reference.name === name && describeGroupKind(kindOf(reference)) === groupKind,
      ),
    )
    .map(keyOf);
}
