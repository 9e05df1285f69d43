import { type Clock, quote } from "#base";
import {
  ApiError,
  compileLabelSelector,
  type DeleteOptions,
  fieldAt,
  isJsonObject,
  type KubeObject,
  notFound,
} from "#machinery";
import { type AnsweredResource, answeredResource, type Question } from "#apiserver/auth";
import type { Plane } from "#apiserver/registry";

export interface EvictionParts {
  readonly plane: Pick<Plane, "get" | "remove" | "rewrite" | "collections">;
  readonly clock: Clock;
}

const pods = { group: "", resource: "pods" };
const budgets = { group: "policy", resource: "poddisruptionbudgets" };

/** `pods/eviction`: deletes a pod, unless a PodDisruptionBudget says that it is needed. */
export function evictions(parts: EvictionParts): AnsweredResource {
  const about = { group: "", version: "v1", resource: "pods", subresource: "eviction", namespaced: true };
  return answeredResource({ ...about, kind: "Eviction", kindIn: "policy" }, (question) => evict(parts, question));
}

async function evict(parts: EvictionParts, { namespace, name, body, dryRun }: Question): Promise<KubeObject> {
  const { plane } = parts;
  const pod = plane.get(pods, { namespace, name });
  if (pod === undefined) throw notFound(pods, name);
  const budget = isOver(pod) ? undefined : budgetOf(plane, pod);
  if (budget !== undefined) await spend(parts, budget, { pod: name, dryRun });
  const options = deleteOptionsIn(body, pod, dryRun);
  await plane.remove(pods, { namespace, name }, options);
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
}

/** A pod that does not run any more, not yet, or is on its way out, is not missed. */
function isOver(pod: KubeObject): boolean {
  const phase = fieldAt(pod, "status", "phase");
  return pod.metadata.deletionTimestamp !== undefined || ["Succeeded", "Failed", "Pending"].includes(String(phase));
}

function budgetOf({ collections }: EvictionParts["plane"], pod: KubeObject): KubeObject | undefined {
  const { namespace = "", labels = {} } = pod.metadata;
  const found = collections
    .of(budgets)
    .list(namespace)
    .filter((budget) => selectorOf(budget)?.matches(labels) === true);
  if (found.length <= 1) return found[0];
  const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
  throw new ApiError({ httpCode: 500, reason: "", message });
}

function selectorOf(budget: KubeObject): ReturnType<typeof compileLabelSelector> | undefined {
  const selector = fieldAt(budget, "spec", "selector");
  return isJsonObject(selector) ? compileLabelSelector(selector) : undefined;
}

/** Takes one disruption off a budget, and refuses where there is none left. */
async function spend(
  { plane, clock }: EvictionParts,
  { metadata }: KubeObject,
  { pod, dryRun }: { readonly pod: string; readonly dryRun: boolean },
): Promise<void> {
  const { namespace = "", name = "" } = metadata;
  const next = (budget: KubeObject): KubeObject => {
    const allowed = allowedBy(budget);
    if (dryRun) return budget;
    const status = fieldAt(budget, "status");
    const disrupted = fieldAt(status, "disruptedPods");
    return {
      ...budget,
      status: {
        ...(isJsonObject(status) ? status : {}),
        disruptionsAllowed: allowed - 1,
        disruptedPods: { ...(isJsonObject(disrupted) ? disrupted : {}), [pod]: clock.now() },
      },
    };
  };
  await plane.rewrite(budgets, { namespace, name }, next, { subresource: "status" });
}

function allowedBy(budget: KubeObject): number {
  const { name = "", generation = 0 } = budget.metadata;
  const observed = numberAt(budget, "status", "observedGeneration");
  if (observed < generation) throw refused(`The disruption budget ${name} is still being processed by the server.`, 10);
  const allowed = numberAt(budget, "status", "disruptionsAllowed");
  if (allowed < 0) {
    const message = `poddisruptionbudgets.policy ${quote(name)} is forbidden: pdb disruptions allowed is negative`;
    throw new ApiError({
      httpCode: 403,
      reason: "Forbidden",
      message,
      details: { name, group: "policy", kind: "poddisruptionbudgets" },
    });
  }
  if (allowed > 0) return allowed;
  const [wanted, healthy] = [
    numberAt(budget, "status", "desiredHealthy"),
    numberAt(budget, "status", "currentHealthy"),
  ];
  throw refused(`The disruption budget ${name} needs ${wanted} healthy pods and has ${healthy} currently`);
}

function refused(cause: string, retryAfterSeconds?: number): ApiError {
  return new ApiError({
    httpCode: 429,
    reason: "TooManyRequests",
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [{ reason: "DisruptionBudget", message: cause }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  });
}

function numberAt(object: KubeObject, ...path: readonly string[]): number {
  const value = fieldAt(object, ...path);
  return typeof value === "number" ? value : 0;
}

/** What the eviction says about the delete; only the very pod that was looked at may go. */
function deleteOptionsIn(eviction: KubeObject, pod: KubeObject, dryRun: boolean): DeleteOptions {
  const given = fieldAt(eviction, "deleteOptions", "preconditions", "uid");
  const grace = fieldAt(eviction, "deleteOptions", "gracePeriodSeconds");
  const uid = typeof given === "string" ? given : pod.metadata.uid;
  return {
    ...(uid === undefined ? {} : { preconditions: { uid } }),
    ...(typeof grace === "number" ? { gracePeriodSeconds: grace } : {}),
    ...(dryRun ? { dryRun } : {}),
  };
}
