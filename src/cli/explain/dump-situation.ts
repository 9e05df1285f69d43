import { annotations } from "#api";
import { type Clock, systemClock, type Timestamp } from "#base";
import { dumpReader, type Reader } from "#control";
import { type KubeObject, namespacedName, type ObjectKey } from "#machinery";
import { type Dump, missingDefinitions, newestTime } from "./dump.ts";
import { connectionTo, joinFacts, type KnownFacts } from "./known-facts.ts";
import type { NodeSight, Situation } from "./situation.ts";

/** How a dump is looked at. */
export interface DumpSituationOptions extends Pick<Situation, "signal" | "spelling" | "gracePeriods" | "judges"> {
  /** What flags say; it wins over what the dump says. */
  readonly facts: KnownFacts;
}

/** A situation that is over: objects in a file. */
export function dumpSituation({ objects, facts }: Dump, options: DumpSituationOptions): Situation {
  const { signal, spelling, gracePeriods, judges = [] } = options;
  const known = joinFacts(facts, options.facts);
  const { definitions, assumed } = missingDefinitions(objects);
  const newest = newestTime(objects);
  const now = known.now ?? newest ?? systemClock.now();
  const notes = [
    ...(known.now === undefined ? [`judged as of ${now}, the newest time in the dump; --now says otherwise`] : []),
    ...assumed.map(
      (kind) => `the dump has no CustomResourceDefinition of ${kind}: its objects are read by the newest contract`,
    ),
  ];
  const present = new Set(objects.map(({ kind }) => kind));
  const absent = new Set<string>();
  const nodes = objects.filter(({ apiVersion, kind }) => apiVersion === "v1" && kind === "Node");
  const sights = new Map<string, NodeSight>();
  return {
    kind: "dump",
    reader: noticing(dumpReader([...definitions, ...objects]), (kind) => {
      if (!present.has(kind) && kind !== "CustomResourceDefinition") absent.add(kind);
    }),
    clock: standingAt(now),
    signal,
    spelling,
    gracePeriods,
    judges,
    known: () => Promise.resolve({ ...known, now }),
    nodes(cluster) {
      const name = namespacedName(cluster);
      const sight = sights.get(name) ?? sightOf(nodes, cluster, known);
      sights.set(name, sight);
      return Promise.resolve(sight);
    },
    lastPass: () => Promise.resolve(undefined),
    notes: () => [
      ...notes,
      ...[...absent].map((kind) => `the dump has no ${kind} at all: the one that is asked for is taken for absent`),
    ],
  };
}

/** The same reader, which tells the kinds of objects that are asked for by name. */
function noticing(reader: Reader, see: (kind: string) => void): Reader {
  return {
    get(kind, key, options) {
      see(kind.kind);
      return reader.get(kind, key, options);
    },
    find(kind, key, options) {
      see(kind.kind);
      return reader.find(kind, key, options);
    },
    list: (kind, options) => reader.list(kind, options),
  };
}

/** The Nodes of a cluster. A dump without any tells nothing about them, unless somebody says that it was connected. */
function sightOf(nodes: readonly KubeObject[], cluster: ObjectKey, known: KnownFacts): NodeSight {
  const { connected } = connectionTo(known, cluster);
  if (connected === false) return { kind: "not-connected" };
  const own = nodes.filter((node) => isOf(node, cluster));
  if (own.length === 0 && connected === undefined) return { kind: "unknown" };
  return { kind: "seen", reader: dumpReader(own) };
}

/** Nodes say which cluster they are of once their Machine has found them; others may be of any. */
function isOf({ metadata }: KubeObject, cluster: ObjectKey): boolean {
  const { [annotations.clusterName]: name, [annotations.clusterNamespace]: namespace } = metadata.annotations ?? {};
  if (name === undefined) return true;
  return name === cluster.name && (namespace ?? cluster.namespace) === cluster.namespace;
}

function standingAt(now: Timestamp): Clock {
  return { ...systemClock, now: () => now };
}
