import { toError } from "#base";
import { deepFreeze, type KubeObject } from "#machinery";
import type { Mutation, Operation, Store } from "#apiserver/store";
import type { Collection } from "./collection.ts";
import { writeObjectText } from "./object-text.ts";

/** A write that has passed everything and only has to become durable. */
export interface StagedWrite {
  readonly collection: Collection;
  readonly op: Operation;
  readonly namespace: string;
  readonly name: string;
  /** The object as it is to be; of a delete its last content. Its resourceVersion is set here, and nobody can change it then. */
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
  /** In milliseconds since 1970. */
  readonly expires?: number;
}

interface Waiting extends StagedWrite {
  readonly revision: number;
  readonly resolve: (object: KubeObject) => void;
  readonly reject: (error: Error) => void;
}

/** Who wants to know what becomes of writes. */
export interface CommitterOptions {
  /** Is told when the store has failed: nothing can be written any more. */
  readonly onFatal: (error: Error) => void;
  /** Is told what has become durable. */
  readonly onDurable: (writes: readonly Mutation[]) => void;
}

const kinds = { create: "created", update: "updated", delete: "deleted" } as const;

/** Gives every write its revision and brings writes to the disk in groups: one on its way, the next one gathering. */
export class Committer {
  readonly #store: Store;
  readonly #options: CommitterOptions;
  #revision: number;
  #published: number;
  #gathering: Waiting[] = [];
  #awaited: { readonly revision: number; readonly resolve: () => void }[] = [];
  #idle: Promise<void> = Promise.resolve();
  #state: { readonly kind: "idle" | "busy" } | { readonly kind: "broken"; readonly error: Error } = { kind: "idle" };

  constructor(store: Store, options: CommitterOptions) {
    this.#store = store;
    this.#options = options;
    this.#revision = store.revision;
    this.#published = store.revision;
  }

  /** The newest revision that everyone can see. */
  get published(): number {
    return this.#published;
  }

  /** Takes a write in; resolves with the object once it is durable and published. */
  stage(write: StagedWrite): Promise<KubeObject> {
    if (this.#state.kind === "broken") return Promise.reject(this.#state.error);
    this.#revision += 1;
    const revision = this.#revision;
    const object = stamp(write, revision);
    write.collection.stage(write.namespace, write.name, {
      revision,
      object: write.op === "delete" ? undefined : object,
    });
    return new Promise((resolve, reject) => {
      this.#gathering.push({ ...write, object, revision, resolve, reject });
      if (this.#state.kind === "idle") this.#start();
    });
  }

  /** Resolves once everyone can see all that was taken in so far, or nobody will ever. */
  async caughtUp(): Promise<void> {
    const revision = this.#revision;
    if (this.#published >= revision || this.#state.kind === "broken") return;
    await new Promise<void>((resolve) => this.#awaited.push({ revision, resolve }));
  }

  /** Resolves when nothing is on its way any more. */
  async settle(): Promise<void> {
    await this.#idle;
  }

  #start(): void {
    this.#state = { kind: "busy" };
    this.#idle = new Promise((resolve) => {
      // Waits for the end of this turn, so that writers who are ready now share one flush.
      setImmediate(() => {
        void this.#run().finally(resolve);
      });
    });
  }

  async #run(): Promise<void> {
    while (this.#gathering.length > 0) {
      const batch = this.#gathering;
      this.#gathering = [];
      const mutations = batch.map(mutationOf);
      try {
        await this.#store.commit(mutations);
      } catch (error) {
        this.#break(batch, error);
        return;
      }
      for (const write of batch) this.#publish(write);
      this.#tellUpTo(this.#published);
      this.#options.onDurable(mutations);
    }
    this.#state = { kind: "idle" };
  }

  #publish({ collection, op, object, previous, namespace, name, revision, resolve }: Waiting): void {
    this.#published = revision;
    collection.publish({ kind: kinds[op], revision, namespace, name, object, previous });
    resolve(object);
  }

  #tellUpTo(published: number): void {
    if (this.#awaited.length === 0) return;
    for (const { revision, resolve } of this.#awaited) if (revision <= published) resolve();
    this.#awaited = this.#awaited.filter(({ revision }) => revision > published);
  }

  /** Nobody knows what is on the disk now, so that the process has to end and start anew. */
  #break(batch: readonly Waiting[], cause: unknown): void {
    const error = toError(cause);
    this.#state = { kind: "broken", error };
    for (const write of [...batch, ...this.#gathering]) write.reject(error);
    this.#gathering = [];
    this.#tellUpTo(Infinity);
    this.#options.onFatal(error);
  }
}

function stamp({ object, previous }: StagedWrite, revision: number): KubeObject {
  return deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }, previous);
}

function mutationOf({ collection, op, object, previous, namespace, name, revision, expires }: Waiting): Mutation {
  return {
    key: { group: collection.group, resource: collection.resource, namespace, name },
    op,
    revision,
    previous: Number(previous?.metadata.resourceVersion ?? 0),
    value: writeObjectText(object, previous),
    ...(expires === undefined ? {} : { expires }),
  };
}
