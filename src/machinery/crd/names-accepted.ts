import { describeError, aggregate, ContextError, quote } from "#base";
import type { CustomResourceDefinition, DefinitionCondition, DefinitionNames } from "./definition.ts";

/** The names that the definitions of a group have been given. */
export interface ClaimedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Collects the names that are taken in a group; a definition's own names do no harm. */
export function claimedNames(definitions: Iterable<CustomResourceDefinition>, group: string): ClaimedNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { spec, status } of definitions) {
    const names = status?.acceptedNames;
    if (spec.group !== group || names === undefined) continue;
    for (const name of [names.plural, names.singular ?? "", ...(names.shortNames ?? [])]) resources.add(name);
    for (const kind of [names.kind, names.listKind ?? ""]) kinds.add(kind);
  }
  return { resources, kinds };
}

/** What becomes of the names of a definition: those it is given, and its conditions NamesAccepted and Established. */
export interface NamesDecision {
  readonly acceptedNames: DefinitionNames;
  readonly namesAccepted: DefinitionCondition;
  readonly established: DefinitionCondition;
}

const accepted: DefinitionCondition = {
  type: "NamesAccepted",
  status: "True",
  reason: "NoConflicts",
  message: "no conflicts found",
};
const established: DefinitionCondition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};
const notEstablished: DefinitionCondition = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};

/** Decides about the names of a definition. Names it has been given before are its own; of several conflicts the last is told. */
export function decideNames({ spec, status }: CustomResourceDefinition, claimed: ClaimedNames): NamesDecision {
  const wanted = spec.names;
  const given: Partial<DefinitionNames> = status?.acceptedNames ?? {};
  const conflicts: { readonly reason: string; readonly message: string }[] = [];
  const decide = (field: "plural" | "singular" | "kind" | "listKind", reason: string): string => {
    const taken = field === "kind" || field === "listKind" ? claimed.kinds : claimed.resources;
    const [want = "", have = ""] = [wanted[field], given[field]];
    if (want === have || !taken.has(want)) return want;
    conflicts.push({ reason, message: inUse(want) });
    return have;
  };
  const plural = decide("plural", "PluralConflict");
  const singular = decide("singular", "SingularConflict");
  const shortNames = decideShortNames(wanted, given, { claimed, conflicts });
  const kind = decide("kind", "KindConflict");
  const listKind = decide("listKind", "ListKindConflict");
  const last = conflicts.at(-1);
  const before = status?.conditions?.find(({ type }) => type === "Established");
  const { categories } = wanted;
  const optional = {
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
  };
  return {
    acceptedNames: { plural, singular, ...optional, kind, listKind },
    namesAccepted: last === undefined ? accepted : { type: "NamesAccepted", status: "False", ...last },
    established: decideEstablished(before, last === undefined),
  };
}

interface Conflicts {
  readonly claimed: ClaimedNames;
  readonly conflicts: { readonly reason: string; readonly message: string }[];
}

/** Short names are given all together or not at all. */
function decideShortNames(
  wanted: DefinitionNames,
  given: Partial<DefinitionNames>,
  { claimed, conflicts }: Conflicts,
): readonly string[] | undefined {
  const own = new Set(given.shortNames);
  const taken = (wanted.shortNames ?? []).filter((name) => !own.has(name) && claimed.resources.has(name));
  if (taken.length === 0) return wanted.shortNames;
  const message = describeError(aggregate(taken.map((name) => new ContextError(inUse(name)))));
  conflicts.push({ reason: "ShortNamesConflict", message });
  return given.shortNames;
}

/** Once established, always established. */
function decideEstablished(before: DefinitionCondition | undefined, namesAccepted: boolean): DefinitionCondition {
  if (before?.status === "True") return before;
  if (namesAccepted) return established;
  return before ?? notEstablished;
}

function inUse(name: string): string {
  return `${quote(name)} is already in use`;
}
