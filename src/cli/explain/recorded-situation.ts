import type { Reader } from "#control";
import { asJson, describeKey, type Json, keyOf, type KubeObject, type ObjectKey, printYamlDocuments } from "#machinery";
import { connectionFacts } from "./connection-facts.ts";
import { connectionTo, factsKey, type KnownFacts } from "./known-facts.ts";
import type { Situation } from "./situation.ts";

/** A situation of which everything that is looked at is written down, so that it can be looked at again without it. */
export interface RecordedSituation extends Situation {
  /** What was looked at so far, as a dump: objects, and a `facts:` document with what they do not hold. */
  dump(): string;
}

/** Records what is read of a situation. Secrets are never written down. */
export function recordSituation(situation: Situation): RecordedSituation {
  // What is looked at within a second or two is told as of one time, so that the dump tells the same.
  const now = situation.clock.now();
  const objects = new Map<string, KubeObject>();
  const connections = new Map<string, object>();
  const facts = new Map<string, object>();
  const keep = (object: KubeObject): void => {
    const { apiVersion, kind, metadata } = object;
    if (kind === "Secret") return;
    // Of definitions, which are large, nobody asks for more than the metadata.
    const kept = kind === "CustomResourceDefinition" ? { apiVersion, kind, metadata } : object;
    objects.set(`${apiVersion} ${kind} ${describeKey(keyOf(object))}`, kept);
  };
  const note = (cluster: ObjectKey, about: object): void => {
    connections.set(describeKey(cluster), { ...connections.get(describeKey(cluster)), ...about });
  };

  return {
    ...situation,
    clock: { ...situation.clock, now: () => now },
    reader: recorded(situation.reader, keep),
    async known(kind, object) {
      const known = await situation.known(kind, object);
      const key = keyOf(object);
      if (kind === "Cluster") note(key, connectionDocument(connectionTo(known, key)));
      const about = factsDocument(kind, object, known);
      if (Object.keys(about).length > 0) facts.set(factsKey(kind, key), about);
      return known;
    },
    async nodes(cluster) {
      const sight = await situation.nodes(cluster);
      note(cluster, { connected: sight.kind === "seen" });
      return sight.kind === "seen" ? { ...sight, reader: recorded(sight.reader, keep) } : sight;
    },
    dump() {
      const known = { now, connections: Object.fromEntries(connections), objects: Object.fromEntries(facts) };
      return printYamlDocuments([...[...objects.values()].map(asJson), plain({ facts: known })]);
    },
  };
}

/** Kinds of which some table goes by the time. */
const timedKinds: ReadonlySet<string> = new Set(["Cluster", "Machine", "DevMachine"]);

/** What an object's own pass knew. */
function factsDocument(kind: string, object: KubeObject, known: KnownFacts): object {
  const told = known.objects.get(factsKey(kind, keyOf(object))) ?? {};
  if (!timedKinds.has(kind)) return told;
  const { facts: connection, unknown } = connectionFacts(known.connection);
  const isTold = kind === "Machine" && unknown.length === 0;
  return { ...told, ...(known.now === undefined ? {} : { now: known.now }), ...(isTold ? { connection } : {}) };
}

function connectionDocument({ lastProbeSuccess, consecutiveFailures, gracePeriod }: ReturnType<typeof connectionTo>) {
  return { lastProbeSuccess, consecutiveFailures, gracePeriod };
}

function recorded(reader: Reader, keep: (object: KubeObject) => void): Reader {
  return {
    async get(kind, key, options) {
      const object = await reader.get(kind, key, options);
      keep(object);
      return object;
    },
    async find(kind, key, options) {
      const object = await reader.find(kind, key, options);
      if (object !== undefined) keep(object);
      return object;
    },
    async list(kind, options) {
      const found = await reader.list(kind, options);
      for (const object of found) keep(object);
      return found;
    },
  };
}

function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
