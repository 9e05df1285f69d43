import { type Clock, createLogger, describeError, systemClock } from "#base";
import type { Client } from "#client";
import { apiReader } from "#control";
import { describeKey, fieldAt, namespacedName, type ObjectKey } from "#machinery";
import { createConnector, type WorkloadConnection } from "#workload";
import { joinFacts, type KnownFacts, nothingKnown } from "./known-facts.ts";
import { factsOfPass, type PassJson, type Passes } from "./passes.ts";
import type { NodeSight, Situation } from "./situation.ts";

/** How a running plane is looked at. */
export interface LiveSituationOptions extends Pick<Situation, "signal" | "spelling" | "gracePeriods" | "judges"> {
  readonly client: Client;
  /** What flags say; it wins over what the manager says. */
  readonly facts: KnownFacts;
  /** The manager's last passes; without them what only the manager knows has to be found out, or is not known. */
  readonly passes?: Passes;
  readonly clock?: Clock;
}

/** A situation as it is now. Connections that were made are closed with it. */
export interface LiveSituation extends Situation, AsyncDisposable {}

/** Looks at a running plane: at its API server, at its manager, and into its workload clusters where it must. */
export function liveSituation(options: LiveSituationOptions): LiveSituation {
  const { client, signal, spelling, gracePeriods, passes, judges = [], clock = systemClock } = options;
  const reader = apiReader(client);
  const notes = new Set<string>();
  const log = createLogger({ format: "text", level: "error", clock, destination: { write: () => undefined } });
  const connect = createConnector({
    secrets: reader,
    clock,
    random: () => 0.5,
    log,
    userAgent: "capstan-explain",
  });
  const connections = new Map<string, Promise<WorkloadConnection | undefined>>();
  const passesFound = new Map<string, Promise<PassJson | undefined>>();

  return {
    kind: "live",
    reader,
    clock,
    signal,
    spelling,
    gracePeriods,
    judges,
    async known(kind, object) {
      const pass = await passOf(kind, object);
      const told = pass === undefined ? nothingKnown : factsOfPass(kind, object, pass);
      const { namespace = "", name = "" } = object.metadata;
      const clusterName = kind === "Machine" ? clusterOf(object) : name;
      const isAboutConnection = kind === "Machine" || kind === "Cluster";
      const probed =
        isAboutConnection && told.connection.lastProbeSuccess === undefined
          ? await probe({ namespace, name: clusterName })
          : nothingKnown;
      return joinFacts(joinFacts(probed, told), options.facts);
    },
    async nodes(cluster): Promise<NodeSight> {
      const connection = await connectionOf(cluster);
      return connection === undefined ? { kind: "not-connected" } : { kind: "seen", reader: connection.reader };
    },
    lastPass: async (kind, object) => {
      const pass = await passOf(kind, object);
      if (pass === undefined) return undefined;
      const { at, outcome, next, errors } = pass;
      return { at, outcome, next, errors };
    },
    notes: () => [...notes],
    async [Symbol.asyncDispose]() {
      for (const connection of await Promise.all(connections.values())) await connection?.close();
    },
  };

  function passOf(kind: string, object: Parameters<Passes["find"]>[1]): Promise<PassJson | undefined> {
    const name = `${kind} ${describeKey({ namespace: object.metadata.namespace ?? "", name: object.metadata.name ?? "" })}`;
    const found = passesFound.get(name) ?? passes?.find(kind, object) ?? Promise.resolve(undefined);
    passesFound.set(name, found);
    return found;
  }

  /** Where the manager does not tell, a probe of our own stands in for its last one. */
  async function probe(cluster: ObjectKey): Promise<KnownFacts> {
    const connection = await connectionOf(cluster);
    if (connection === undefined) return nothingKnown;
    notes.add(
      `the manager does not say when it last reached Cluster ${describeKey(cluster)}: this command reached it just now, and goes by that`,
    );
    return { ...nothingKnown, connection: { lastProbeSuccess: clock.now(), consecutiveFailures: 0 } };
  }

  function connectionOf(cluster: ObjectKey): Promise<WorkloadConnection | undefined> {
    const name = namespacedName(cluster);
    const found =
      connections.get(name) ??
      connect(cluster, { signal, onBroken: () => undefined }).catch((error: unknown) => {
        signal.throwIfAborted();
        notes.add(`Cluster ${describeKey(cluster)} cannot be reached from here: ${describeError(error)}`);
        return undefined;
      });
    connections.set(name, found);
    return found;
  }
}

function clusterOf(object: object): string {
  const name = fieldAt(object, "spec", "clusterName");
  return typeof name === "string" ? name : "";
}
