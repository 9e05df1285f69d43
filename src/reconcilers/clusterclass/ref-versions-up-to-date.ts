import { defineCondition, False, finds, otherwise, row, True, Unknown } from "#conditions";
import type { ClassFacts, OutdatedReference } from "./facts.ts";
import { followTemplates } from "./follow-templates.ts";

/** Tells whether the templates of a ClusterClass are named in the versions that the contract asks for. */
export const RefVersionsUpToDate = defineCondition({
  of: "ClusterClass",
  type: "RefVersionsUpToDate",
  summary: "Tells whether every template is named in the newest API version that fulfils the contract.",
  reasons: ["RefVersionsUpToDate", "RefVersionsNotUpToDate", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("a template could not be read, owned or checked", failures),
      ensure: followTemplates,
      // The step throws what went wrong, and so the pass is retried; explain prints it.
      report: Unknown("InternalError", "Please check controller logs for errors"),
    }),
    row({
      id: "outdated",
      when: finds("a template is named in another version than the newest", outdated),
      ensure: followTemplates,
      report: (e) => False("RefVersionsNotUpToDate", e.message),
    }),
  ],
  otherwise: otherwise({
    id: "up-to-date",
    when: "all templates are named in their newest version",
    ensure: followTemplates,
    report: True("RefVersionsUpToDate"),
  }),
});

function failures({ references }: ClassFacts): { readonly errors: readonly string[] } | undefined {
  return references.kind === "failed" ? { errors: references.errors } : undefined;
}

function outdated({ references }: ClassFacts): { readonly message: string } | undefined {
  if (references.kind === "failed" || references.outdated.length === 0) return undefined;
  const lines = references.outdated.map(describeOutdated);
  return { message: ["The following templateRefs are not using the latest apiVersion:", ...lines].join("\n") };
}

function describeOutdated({ kind, name, current, latest }: OutdatedReference): string {
  return `* ${kind} ${name}: current: ${current}, latest: ${latest}`;
}
