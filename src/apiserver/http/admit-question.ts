import { apiVersionOf, type KubeObject } from "#machinery";
import type { AdmissionContext } from "#apiserver/admission";
import type { AnsweredResource, Question } from "#apiserver/auth";
import { type Engine, operationOptions } from "#apiserver/registry";
import type { WriteQuery } from "./query-options.ts";

/** Lets plugins have their say in what is answered and not kept, such as an eviction; gives what is to be answered. */
export async function admittedQuestion(
  { admission }: Engine,
  answered: AnsweredResource,
  { caller, namespace, name, body, dryRun }: Question,
  { options, ...context }: AdmissionContext & { readonly options: WriteQuery },
): Promise<KubeObject> {
  const { group, version, resource: plural, subresource, kind, kindGroup } = answered;
  const resource = { group, version, resource: plural };
  if (!admission.concerns({ operation: "CREATE", resource, subresource })) return body;
  const whole = {
    ...body,
    apiVersion: apiVersionOf({ group: kindGroup, version: "v1" }),
    kind,
    metadata: namespace === "" ? body.metadata : { ...body.metadata, namespace },
  };
  const request = {
    operation: "CREATE",
    kind: { group: kindGroup, version: "v1", kind },
    resource,
    subresource,
    namespace,
    name: name === "" ? (body.metadata.name ?? "") : name,
    object: whole,
    oldObject: undefined,
    dryRun,
    caller,
    options: () => operationOptions("CREATE", options),
  } as const;
  const changed = await admission.mutate(whole, request, context);
  await admission.validate({ ...request, object: changed }, context);
  return changed;
}
