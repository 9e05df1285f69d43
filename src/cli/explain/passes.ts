import { fieldAt, isJsonObject, keyOf, type KubeObject } from "#machinery";
import { milliseconds, parseTimestamp } from "#base";
import { factsKey, type KnownFacts, nothingKnown } from "./known-facts.ts";
import type { LastPass } from "./situation.ts";

/** A manager's last passes, as its diagnostics address serves them. */
export interface Passes {
  /** The newest pass over an object that came to facts, as JSON; undefined where there is none. */
  find(kind: string, object: KubeObject): Promise<PassJson | undefined>;
}

/** One pass, as far as it is understood. */
export interface PassJson extends LastPass {
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Asks for `/passes`; where that is not answered, nothing is known. */
export function fetchPasses(ask: (query: string) => Promise<unknown>, onUnreachable: (error: unknown) => void): Passes {
  return {
    async find(kind, { metadata }) {
      const { name = "", namespace = "" } = metadata;
      const query = new URLSearchParams({ kind, name, ...(namespace === "" ? {} : { namespace }) });
      const reconciler = kind.toLowerCase();
      try {
        const answer = await ask(query.toString());
        const passes = fieldAt(answer, "passes");
        const found: unknown = Array.isArray(passes)
          ? passes.find((pass) => fieldAt(pass, "reconciler") === reconciler)
          : undefined;
        return found === undefined ? undefined : passOf(found);
      } catch (error) {
        onUnreachable(error);
        return undefined;
      }
    },
  };
}

/** Facts that objects cannot hold, by kind; everything else is better read anew. */
const keptFacts: Readonly<Record<string, readonly string[]>> = {
  Cluster: ["deletion"],
  Machine: ["gracePeriod", "node", "update", "deletion"],
  ClusterClass: ["problems", "conflicts"],
  DevCluster: ["server"],
  DevMachine: ["node"],
  ExtensionConfig: ["mode", "registry", "pause", "authority", "discovery", "status"],
};

/** What a pass knew that objects do not tell. Time stands as it did then: whatever time changes wakes the manager. */
export function factsOfPass(kind: string, object: KubeObject, { facts }: PassJson): KnownFacts {
  if (facts === undefined) return nothingKnown;
  const kept = (keptFacts[kind] ?? []).filter((name) => facts[name] !== undefined);
  const { now, connection } = facts;
  const lastProbeSuccess = fieldAt(connection, "lastProbeSuccess");
  const failures = fieldAt(connection, "consecutiveFailures");
  const grace = fieldAt(connection, "gracePeriod");
  return {
    ...(typeof now === "string" ? { now: parseTimestamp(now) } : {}),
    connection: isJsonObject(connection)
      ? {
          lastProbeSuccess: typeof lastProbeSuccess === "string" ? parseTimestamp(lastProbeSuccess) : "never",
          ...(typeof failures === "number" ? { consecutiveFailures: failures } : {}),
          ...(typeof grace === "number" ? { gracePeriod: milliseconds(grace) } : {}),
        }
      : {},
    connections: new Map(),
    objects: new Map([[factsKey(kind, keyOf(object)), Object.fromEntries(kept.map((name) => [name, facts[name]]))]]),
  };
}

function passOf(pass: unknown): PassJson {
  const facts = fieldAt(pass, "facts");
  const errors = fieldAt(pass, "errors");
  return {
    at: textAt(pass, "at"),
    outcome: textAt(pass, "outcome"),
    next: textAt(pass, "next"),
    errors: Array.isArray(errors) ? errors.map(String) : [],
    ...(isJsonObject(facts) ? { facts } : {}),
  };
}

function textAt(value: unknown, field: string): string {
  const text = fieldAt(value, field);
  return typeof text === "string" ? text : "";
}
