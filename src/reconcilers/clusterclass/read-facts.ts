import { fact } from "#conditions";
import type { ClassFacts, DiscoveryProblem, OutdatedReference, ReferenceFacts } from "./facts.ts";

const outdatedReference = fact.object<OutdatedReference>({
  kind: fact.text,
  name: fact.text,
  current: fact.text,
  latest: fact.text,
});

const classFacts = fact.object<ClassFacts>({
  className: fact.text,
  references: fact.byKind<ReferenceFacts>({
    followed: { outdated: fact.list(outdatedReference) },
    failed: { errors: fact.list(fact.text) },
  }),
  problems: fact.list(
    fact.byKind<DiscoveryProblem>({
      "call-failed": { patch: fact.text, error: fact.text },
      refused: { patch: fact.text, status: fact.text, message: fact.text },
      "not-convertible": { variable: fact.text },
      invalid: { patch: fact.text, errors: fact.list(fact.text) },
    }),
  ),
  conflicts: fact.list(fact.text),
});

/** Reads what a file says of a ClusterClass; an error names the field that is missing or wrong. */
export function readClassFacts(value: unknown): ClassFacts {
  return classFacts(value, "facts");
}
