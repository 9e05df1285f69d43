import { False, finds, mirrored, nothing, row, Unknown } from "#conditions";
import type { ProviderLookup } from "./provider-lookup.ts";

/** Which object of a provider is meant, and whether it had done its first work. */
export interface ProviderView {
  readonly lookup: ProviderLookup;
  /** True once the object had provisioned or initialized what it is for. */
  readonly once: boolean;
  /** True while the object that names it is being deleted. */
  readonly deleting: boolean;
}

/** Which object the rows are about, who names it, and how to see it in the facts. */
export interface ProviderRows<Facts> {
  readonly what: string;
  readonly owner: "cluster" | "Machine";
  readonly view: (facts: Facts) => ProviderView;
}

/** The object is there: what it says of itself, whatever its reason. */
export function reportedRows<Facts>({ what, view }: Pick<ProviderRows<Facts>, "what" | "view">) {
  return [
    row({
      id: "invalid",
      when: finds(`the conditions of ${what} cannot be read`, (facts: Facts) => {
        const { lookup } = view(facts);
        if (lookup.kind !== "found" || lookup.condition.kind !== "invalid") return undefined;
        return { error: lookup.condition.error };
      }),
      ensure: nothing("its provider has to mend it"),
      report: (conditions) => Unknown("InvalidConditionReported", conditions.error),
    }),
    row({
      id: "reported",
      when: finds(`${what} reports it itself`, (facts: Facts) => {
        const { lookup } = view(facts);
        return lookup.kind === "found" && lookup.condition.kind === "reported" ? lookup.condition : undefined;
      }),
      ensure: nothing("mirror the condition"),
      report: (condition) => mirrored(condition),
    }),
  ];
}

/** The object could not be read, or is not there. */
export function missingRows<Facts>({ what, owner, view }: ProviderRows<Facts>) {
  const absent = (facts: Facts, wanted: { readonly deleting: boolean } | undefined) => {
    const { lookup, once, deleting } = view(facts);
    if (lookup.kind !== "absent" || once !== (wanted !== undefined)) return undefined;
    return wanted === undefined || wanted.deleting === deleting ? { kind: lookup.objectKind } : undefined;
  };
  return [
    row({
      id: "unreadable",
      when: finds(`${what} could not be read`, (facts: Facts) => {
        const { lookup } = view(facts);
        return lookup.kind === "failed" ? { error: lookup.error } : undefined;
      }),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "deleted-with-owner",
      when: finds(`${what} is absent after its work was done, the ${owner} is deleting`, (facts: Facts) =>
        absent(facts, { deleting: true }),
      ),
      ensure: nothing(`it went with its ${owner}`),
      report: (object) => False("ObjectDeleted", `${object.kind} has been deleted`),
    }),
    row({
      id: "deleted-under-owner",
      when: finds(`${what} is absent after its work was done`, (facts: Facts) => absent(facts, { deleting: false })),
      ensure: nothing("an object deleted by hand does not come back"),
      report: (object) => False("ObjectDeleted", `${object.kind} has been deleted while the ${owner} still exists`),
    }),
    row({
      id: "does-not-exist",
      when: finds(`${what} is absent and never did its work`, (facts: Facts) => absent(facts, undefined)),
      ensure: nothing("waiting for somebody to create it"),
      report: (object) => False("ObjectDoesNotExist", `${object.kind} does not exist`),
    }),
  ];
}

/** The kind of an object that is there and says nothing of itself. */
export function silentKind({ lookup }: ProviderView): { readonly kind: string } | undefined {
  return lookup.kind === "found" && lookup.condition.kind === "silent" ? { kind: lookup.objectKind } : undefined;
}
