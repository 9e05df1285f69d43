import { asJson, forbiddenRequest, type KubeObject, notFound, type Selector } from "#machinery";
import type { AdmissionRequest } from "../admission.ts";
import type { Hook } from "./hook.ts";
import { requestOf } from "./review.ts";
import { isAbout, isInScope, isNamespaces, type RuledRequest } from "./rule.ts";
import type { Guise, VersionedRequest, Versions } from "./versions.ts";

/** What decides besides the request itself. */
export interface Surroundings {
  readonly versions: Versions;
  readonly namespace: (name: string) => KubeObject | undefined;
}

/** True for a webhook that some request of this kind could concern, wherever its object lives and whatever it says. */
export function mayConcern(hook: Hook, request: RuledRequest, versions: Versions): boolean {
  return guiseFor(hook, request, versions, () => true) !== undefined;
}

/** In which guise a webhook is to be asked about a request; nothing where it is not concerned. */
export async function guiseOf(
  hook: Hook,
  versioned: VersionedRequest,
  { versions, namespace }: Surroundings,
): Promise<Guise | undefined> {
  const { request } = versioned;
  const home = homeOf(request);
  const guise = guiseFor(hook, request, versions, (rule, resource) => isInScope(rule, resource, home));
  if (guise === undefined) return undefined;
  if (!isSelected(hook.objectSelector, [versioned.object, request.oldObject])) return undefined;
  if (!isInSelectedNamespace(hook.namespaceSelector, versioned, namespace)) return undefined;
  const verdict = await hook.conditions(async () => {
    const { object, oldObject } = await versioned.in(guise);
    return {
      object: object === undefined ? null : asJson(object),
      oldObject: oldObject === undefined ? null : asJson(oldObject),
      request: requestOf(request, { resource: request.resource, kind: guise.kind }),
    };
  });
  if (verdict.kind === "unclear") throw forbiddenRequest(request.resource, request.name, verdict.why);
  return verdict.kind === "concerned" ? guise : undefined;
}

/** The namespace of an object as webhooks see it: that of a namespace is itself. */
export function homeOf({ resource, namespace, name }: AdmissionRequest): string {
  return isNamespaces(resource) ? name : namespace;
}

/** The first guise that a rule is about: that of the request itself, or else any other where versions do not matter. */
function guiseFor(
  hook: Hook,
  request: RuledRequest & Partial<Pick<AdmissionRequest, "kind">>,
  versions: Versions,
  isLocal: (rule: Hook["rules"][number], resource: Guise["resource"]) => boolean,
): Guise | undefined {
  const { resource, kind = { group: "", version: "", kind: "" } } = request;
  if (hook.rules.some((rule) => isAbout(rule, request) && isLocal(rule, resource))) return { resource, kind };
  if (hook.matchPolicy === "Exact") return undefined;
  const others = versions.others(resource, request.subresource);
  for (const rule of hook.rules) {
    const guise = others.find(
      (other) => isAbout(rule, { ...request, resource: other.resource }) && isLocal(rule, other.resource),
    );
    if (guise !== undefined) return guise;
  }
  return undefined;
}

function isSelected(selector: Selector, objects: readonly (KubeObject | undefined)[]): boolean {
  if (selector.requirements.length === 0) return true;
  return objects.some((object) => object !== undefined && selector.matches(object.metadata.labels));
}

function isInSelectedNamespace(
  selector: Selector,
  { request, object }: VersionedRequest,
  namespace: Surroundings["namespace"],
): boolean {
  const home = homeOf(request);
  if (selector.requirements.length === 0) return true;
  if (home === "" && !isNamespaces(request.resource)) return true;
  // What a namespace is about to be counts, and not what it was.
  if (isNamespaces(request.resource) && request.subresource === "" && object !== undefined) {
    return selector.matches(object.metadata.labels);
  }
  const found = namespace(home);
  if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, home);
  return selector.matches(found.metadata.labels);
}

/** True for what says which webhooks there are: nobody may lock the door to it. */
export function isExempt({ group, resource }: Guise["resource"]): boolean {
  return group === "admissionregistration.k8s.io" && exempt.has(resource);
}

const exempt: ReadonlySet<string> = new Set([
  "validatingwebhookconfigurations",
  "mutatingwebhookconfigurations",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
]);
