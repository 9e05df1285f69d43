import type { ClusterClass } from "#api";
import { gatherVariables, type ClassFacts } from "#reconcilers/clusterclass";
import { refusingAccess } from "./connection-facts.ts";

/** What can be told of the variables of a class without asking anybody: all of it where no patch names an extension. */
export async function variableFacts(
  clusterClass: ClusterClass,
  { signal }: { readonly signal: AbortSignal },
): Promise<Readonly<Partial<ClassFacts>>> {
  const asks = (clusterClass.spec.patches ?? []).some(
    ({ external }) => (external?.discoverVariablesExtension ?? "") !== "",
  );
  if (asks) return {};
  const ports = { runtimeSDK: true, extensions: { call: refusingAccess } };
  const gathered = await gatherVariables(clusterClass, ports, { signal });
  return gathered.kind === "known"
    ? { problems: [], conflicts: gathered.conflicts }
    : { problems: gathered.problems, conflicts: [] };
}
