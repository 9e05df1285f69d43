import { type Duration, InvalidTimestampError, parseTimestamp, type Timestamp } from "#base";
import { fact, InvalidFactsError } from "#conditions";
import { isJsonObject, namespacedName, type ObjectKey } from "#machinery";

/** What somebody knows about the connection to a workload cluster; what is absent nobody knows. */
export interface ConnectionState {
  /** When the last probe that succeeded was made. */
  readonly lastProbeSuccess?: Timestamp | "never";
  readonly consecutiveFailures?: number;
  /** How long a good probe stands, where it is not what flags say. */
  readonly gracePeriod?: Duration;
  /** Whether there is a connection at all. */
  readonly connected?: boolean;
}

/** Facts that objects cannot hold, from a `facts:` document, from flags or from a manager's last passes. */
export interface KnownFacts {
  readonly now?: Timestamp;
  /** Of every cluster that `connections` does not name. */
  readonly connection: ConnectionState;
  /** By namespace and name of the Cluster: `default/quickstart`. */
  readonly connections: ReadonlyMap<string, ConnectionState>;
  /** By kind, namespace and name: `ClusterClass/default/quickstart`. */
  readonly objects: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** Nothing at all. */
export const nothingKnown: KnownFacts = { connection: {}, connections: new Map(), objects: new Map() };

/** What is known of the connection to a cluster. */
export function connectionTo({ connection, connections }: KnownFacts, cluster: ObjectKey): ConnectionState {
  return { ...connection, ...connections.get(namespacedName(cluster)) };
}

/** How facts about an object are filed: `ClusterClass/default/quickstart`, and `ExtensionConfig/e` where no namespace is. */
export function factsKey(kind: string, { namespace = "", name }: ObjectKey): string {
  return namespace === "" ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

/** Joins what two sources know; the second one wins. */
export function joinFacts(one: KnownFacts, other: KnownFacts): KnownFacts {
  const now = other.now ?? one.now;
  return {
    ...(now === undefined ? {} : { now }),
    connection: { ...one.connection, ...other.connection },
    connections: new Map([...one.connections, ...other.connections]),
    objects: new Map([...one.objects, ...other.objects]),
  };
}

/** Reads the content of a `facts:` document; an error names the field that is wrong. */
export function readKnownFacts(value: unknown): KnownFacts {
  const { now, connections = {}, objects = {}, ...rest } = membersOf(value, "facts");
  refuseOthers(rest, "facts", ["now", "connections", "objects"]);
  return {
    ...(now === undefined ? {} : { now: timeOf(now, "facts.now") }),
    connection: {},
    connections: new Map(
      Object.entries(membersOf(connections, "facts.connections")).map(([cluster, state]) => [
        cluster,
        readConnection(state, `facts.connections.${cluster}`),
      ]),
    ),
    objects: new Map(
      Object.entries(membersOf(objects, "facts.objects")).map(([name, facts]) => [
        name,
        membersOf(facts, `facts.objects.${name}`),
      ]),
    ),
  };
}

function readConnection(value: unknown, at: string): ConnectionState {
  const { lastProbeSuccess, consecutiveFailures, connected, gracePeriod, ...rest } = membersOf(value, at);
  refuseOthers(rest, at, ["lastProbeSuccess", "consecutiveFailures", "connected", "gracePeriod"]);
  if (consecutiveFailures !== undefined && !Number.isSafeInteger(consecutiveFailures))
    throw new InvalidFactsError(`${at}.consecutiveFailures must be a whole number`);
  if (connected !== undefined && typeof connected !== "boolean")
    throw new InvalidFactsError(`${at}.connected must be true or false`);
  return {
    ...(lastProbeSuccess === undefined
      ? {}
      : { lastProbeSuccess: probeTimeOf(lastProbeSuccess, `${at}.lastProbeSuccess`) }),
    ...(typeof consecutiveFailures === "number" ? { consecutiveFailures } : {}),
    ...(gracePeriod === undefined ? {} : { gracePeriod: fact.duration(gracePeriod, `${at}.gracePeriod`) }),
    ...(connected === undefined ? {} : { connected }),
  };
}

/** A time, or `never`. */
export function probeTimeOf(value: unknown, at: string): Timestamp | "never" {
  return value === "never" ? "never" : timeOf(value, at);
}

/** A time as Kubernetes writes it. */
export function timeOf(value: unknown, at: string): Timestamp {
  try {
    if (typeof value === "string") return parseTimestamp(value);
  } catch (error) {
    if (!(error instanceof InvalidTimestampError)) throw error;
  }
  throw new InvalidFactsError(`${at} must be a time such as 2025-01-15T12:00:00Z`);
}

function membersOf(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) throw new InvalidFactsError(`${at} must be an object`);
  return value;
}

function refuseOthers(rest: object, at: string, known: readonly string[]): void {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new InvalidFactsError(`${at}.${unknown} is not known: there are ${known.join(", ")}`);
}
