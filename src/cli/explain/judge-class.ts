import type { ClusterClass } from "#api";
import { type ClassFacts, clusterClass, gatherVariables, readClassFacts } from "#reconcilers/clusterclass";
import { refusingAccess } from "./refusing-access.ts";
import { judgeByTables } from "./judge-by-tables.ts";
import type { JudgedObject, Judging } from "./judged-object.ts";

/** Extensions are not called. */
const ports = { runtimeSDK: true, extensions: { call: refusingAccess } };

/** Judges a ClusterClass. */
export async function judgeClass(object: ClusterClass, judging: Judging): Promise<JudgedObject> {
  const learned = await variableFacts(object, judging.situation);
  return await judgeByTables(clusterClass, object, { ...judging, ports, learned, read: readClassFacts });
}

/** What can be told of the variables of a class without asking anybody: all of it where no patch names an extension. */
async function variableFacts(
  object: ClusterClass,
  { signal }: { readonly signal: AbortSignal },
): Promise<Readonly<Partial<ClassFacts>>> {
  const asks = (object.spec.patches ?? []).some(({ external }) => (external?.discoverVariablesExtension ?? "") !== "");
  if (asks) return {};
  const gathered = await gatherVariables(object, ports, { signal });
  return gathered.kind === "known"
    ? { problems: [], conflicts: gathered.conflicts }
    : { problems: gathered.problems, conflicts: [] };
}
