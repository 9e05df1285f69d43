import { ApiError, fieldAt, forbiddenRequest, type KubeObject, notFound } from "#machinery";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";

/** Namespaces that the plane itself lives in. */
const immortal = new Set(["default", "kube-system", "kube-public"]);

/** Nothing is created in a namespace that is not there or on its way out, and some namespaces stay. */
export function namespaceLifecycle(namespace: (name: string) => KubeObject | undefined): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    handles: ({ operation, subresource }) => operation !== "UPDATE" && subresource === "",
    mutate(object, request) {
      check(request, namespace);
      return object;
    },
    validate(request) {
      if (request.operation === "DELETE") check(request, namespace);
    },
  };
}

/** Asked last of all: a namespace may have gone while other plugins were at work. */
export function namespaceStillThere(namespace: (name: string) => KubeObject | undefined): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle, once more",
    handles: ({ operation, subresource }) => operation === "CREATE" && subresource === "",
    validate: (request) => check(request, namespace),
  };
}

function check(request: AdmissionRequest, namespace: (name: string) => KubeObject | undefined): void {
  const { operation, resource, name } = request;
  const isNamespace = resource.group === "" && resource.resource === "namespaces";
  if (operation === "DELETE") {
    if (isNamespace && immortal.has(name)) throw forbiddenRequest(resource, name, "this namespace may not be deleted");
    return;
  }
  // Who asks what somebody may do in a namespace does not learn from that whether it is there.
  if (isNamespace || request.namespace === "" || resource.group === "authorization.k8s.io") return;
  const home = namespace(request.namespace);
  if (home === undefined) throw notFound({ group: "", resource: "namespaces" }, request.namespace);
  if (fieldAt(home, "status", "phase") === "Terminating" || home.metadata.deletionTimestamp !== undefined) {
    throw terminating(request);
  }
}

function terminating({ resource, name, namespace }: AdmissionRequest): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbiddenRequest(resource, name, why);
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  return new ApiError({
    httpCode: 403,
    reason: "Forbidden",
    message: status.message ?? "",
    details: { ...status.details, causes: [cause] },
  });
}
