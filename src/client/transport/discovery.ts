import { describeError } from "#base";
import { ApiError, type CallOptions, type DiscoveredResource, fieldAt } from "#machinery";
import { membersIn, textIn, textsIn } from "./discovery-fields.ts";
import { legacyResources, type ResourceListOf } from "./legacy-discovery.ts";
import type { Answer, Call, Requester } from "./requester.ts";

const aggregatedTypes = ["v2", "v2beta1"].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
const accept = [...aggregatedTypes, "application/json"].join(",");

/** Everything that a server serves: in two calls where it can, else in one per group and version. */
export async function discoverResources(
  requester: Requester,
  options: CallOptions = {},
): Promise<readonly DiscoveredResource[]> {
  const [core, groups] = await Promise.all(["/api", "/apis"].map((path) => askIfThere(requester, path, options)));
  const aggregated = [core, groups].every((answer) => answer === undefined || isAggregated(answer));
  if (aggregated) return [core, groups].flatMap((answer) => aggregatedResources(answer?.json));
  return await legacyResources({ core: core?.json, groups: groups?.json }, (path) => listOf(requester, path, options));
}

/** A server that serves no core group, or nothing else, answers that the path does not exist. */
async function askIfThere(requester: Requester, path: string, options: CallOptions): Promise<Answer | undefined> {
  try {
    return await requester.ask(callOf(path, accept, options));
  } catch (error) {
    if (error instanceof ApiError && error.httpCode === 404) return undefined;
    throw error;
  }
}

/** One group that cannot be had, such as one whose server is down, does not hide the others. */
async function listOf(requester: Requester, path: string, options: CallOptions): ReturnType<ResourceListOf> {
  try {
    return (await requester.ask(callOf(path, "application/json", options))).json;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    options.onWarning?.(`discovery of ${path} failed: ${describeError(error)}`);
    return undefined;
  }
}

function callOf(path: string, acceptedTypes: string, { signal, onWarning }: CallOptions): Call {
  return { verb: "discover", method: "GET", path, accept: acceptedTypes, signal, onWarning };
}

function isAggregated({ json }: Answer): boolean {
  return fieldAt(json, "kind") === "APIGroupDiscoveryList";
}

function aggregatedResources(list: unknown): readonly DiscoveredResource[] {
  return membersIn(list, "items").flatMap((item) => {
    const group = textIn(item, "metadata", "name");
    return membersIn(item, "versions").flatMap((version, index) =>
      membersIn(version, "resources").map((resource) => ({
        group,
        version: textIn(version, "version"),
        kind: textIn(resource, "responseKind", "kind"),
        resource: textIn(resource, "resource"),
        singular: textIn(resource, "singularResource"),
        namespaced: textIn(resource, "scope") === "Namespaced",
        verbs: textsIn(resource, "verbs"),
        shortNames: textsIn(resource, "shortNames"),
        categories: textsIn(resource, "categories"),
        subresources: membersIn(resource, "subresources").map((part) => textIn(part, "subresource")),
        preferred: index === 0,
      })),
    );
  });
}
