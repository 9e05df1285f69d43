import type { Timestamp } from "#base";
import { quote } from "#base";
import type { CrdCondition, CustomResourceDefinition, CustomResourceNames } from "./crd.ts";

/** Names of one group that are taken by others. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: ReadonlySet<string>;
  /** Kinds and kinds of lists. */
  readonly kinds: ReadonlySet<string>;
}

/** What a definition may call its resource, and what is said of it. */
export interface NamesDecision {
  readonly acceptedNames: CustomResourceNames;
  readonly namesAccepted: Omit<CrdCondition, "lastTransitionTime">;
  readonly established: Omit<CrdCondition, "lastTransitionTime">;
}

/** Accepts each name that is free, keeps what was accepted before where one is not, and says so. */
export function decideNames(crd: CustomResourceDefinition, taken: TakenNames): NamesDecision {
  const { names } = crd.spec;
  const before = crd.status?.acceptedNames ?? { plural: "", kind: "" };
  const { plural, singular, kind, listKind, shortNames = [], categories } = names;
  const clashes: [reason: string, names: readonly string[]][] = [
    ["PluralConflict", taken.resources.has(plural) ? [plural] : []],
    ["SingularConflict", singular !== undefined && taken.resources.has(singular) ? [singular] : []],
    ["ShortNamesConflict", shortNames.filter((name) => taken.resources.has(name))],
    ["KindConflict", taken.kinds.has(kind) ? [kind] : []],
    ["ListKindConflict", listKind !== undefined && taken.kinds.has(listKind) ? [listKind] : []],
  ];
  const found = clashes.filter(([, clashing]) => clashing.length > 0);
  const clashed = new Set(found.map(([reason]) => reason));
  const keep = <T>(reason: string, wanted: T, old: T): T => (clashed.has(reason) ? old : wanted);
  const acceptedNames = {
    plural: keep("PluralConflict", plural, before.plural),
    kind: keep("KindConflict", kind, before.kind),
    ...optional("singular", keep("SingularConflict", singular, before.singular)),
    ...optional("listKind", keep("ListKindConflict", listKind, before.listKind)),
    ...optional("shortNames", keep("ShortNamesConflict", names.shortNames, before.shortNames)),
    ...optional("categories", categories),
  };
  const last = found.at(-1);
  const namesAccepted =
    last === undefined
      ? ({ type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" } as const)
      : ({
          type: "NamesAccepted",
          status: "False",
          reason: last[0],
          message: last[1].map((name) => `${quote(name)} is already in use`).join(", "),
        } as const);
  return { acceptedNames, namesAccepted, established: establishedIf(crd, last === undefined) };
}

/** Once established, always established: objects may exist. */
function establishedIf(crd: CustomResourceDefinition, accepted: boolean): NamesDecision["established"] {
  const present = (crd.status?.conditions ?? []).find(({ type }) => type === "Established");
  if (present?.status === "True") return present;
  return accepted
    ? {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      }
    : { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };
}

/** Conditions with some of them set; one whose status stays keeps its time. */
export function withConditions(
  conditions: readonly CrdCondition[],
  set: readonly Omit<CrdCondition, "lastTransitionTime">[],
  now: Timestamp,
): readonly CrdCondition[] {
  return set.reduce<readonly CrdCondition[]>((list, { type, status, reason, message }) => {
    const index = list.findIndex((each) => each.type === type);
    const present = list[index];
    const lastTransitionTime = present?.status === status ? present.lastTransitionTime : now;
    const next = {
      type,
      status,
      ...optional("reason", reason),
      ...optional("message", message),
      ...optional("lastTransitionTime", lastTransitionTime),
    };
    return present === undefined ? [...list, next] : list.with(index, next);
  }, conditions);
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object with just this key, or with none
  return (value === undefined ? {} : { [key]: value }) as { readonly [key in K]?: V };
}
