import type { Client, Connection, ServedKind } from "#client";
import type { CacheChange, Reader } from "#control";
import type { CallOptions, KubeObject } from "#machinery";

/** A connection to a workload cluster, and what is known of the cluster through it. */
export interface WorkloadConnection {
  /** Where the cluster is, and how one gets in. */
  readonly settings: Connection;
  /** Asks the cluster itself, within the bounds that are set for it. */
  readonly client: Client;
  /** Reads what is cached from the cache, and asks the cluster for the rest. */
  readonly reader: Reader;
  /** Resolves where the cluster answers. */
  probe(options: CallOptions): Promise<void>;
  /** Follows a kind for one that is known by a name; does nothing where that one follows already. */
  watch<Obj extends KubeObject>(watch: WorkloadWatch<Obj>): void;
  /** Resolves once what is kept in memory is what the cluster has at the time of the call. */
  caughtUp(): Promise<void>;
  /** Ends everything that goes over the connection; what is under way fails as not connected. */
  close(): Promise<void>;
}

/** Somebody who wants to be told about the objects of a kind in a workload cluster. */
export interface WorkloadWatch<Obj extends KubeObject = KubeObject> {
  /** Who it is; within one connection a name watches once. */
  readonly name: string;
  readonly kind: ServedKind<Obj>;
  /** Is told of everything that is there, and of every change of what is kept, until the connection ends. */
  readonly onChange: (change: CacheChange<Obj>) => void;
}
