import { fact } from "#conditions";
import type { AuthorityFact, DiscoveryFact, DiscoveryFacts, PauseFact, StatusFact, ValidityFact } from "./facts.ts";

const discoveryFacts = fact.object<DiscoveryFacts>({
  config: fact.text,
  mode: fact.oneOf("writing", "reading"),
  registry: fact.oneOf("cold", "ready"),
  deleting: fact.flag,
  pause: fact.byKind<PauseFact>({ none: {}, paused: {}, "just-noted": {}, "not-noted": { error: fact.text } }),
  validity: fact.byKind<ValidityFact>({ valid: {}, invalid: { error: fact.text } }),
  authority: fact.byKind<AuthorityFact>({ settled: {}, failed: { error: fact.text } }),
  discovery: fact.byKind<DiscoveryFact>({
    "not-tried": {},
    found: { handlers: fact.list(fact.text) },
    failed: { error: fact.text },
  }),
  status: fact.byKind<StatusFact>({ written: {}, "not-written": { error: fact.text } }),
});

/** Reads what a file says of an ExtensionConfig; an error names the field that is missing or wrong. */
export function readDiscoveryFacts(value: unknown): DiscoveryFacts {
  return discoveryFacts(value, "facts");
}
