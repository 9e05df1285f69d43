import {
  ApiError,
  describeGroupResource,
  type GroupVersionResource,
  type KubeList,
  type KubeObject,
  type ListOptions,
  type Transport,
  type WatchEvent,
  type WatchOptions,
} from "#machinery";
import { UnusableClusterError } from "../errors.ts";

/** What may come of a cluster to be kept, and who is told that more came. */
export interface ObjectLimitOptions {
  /** How many objects of one resource are kept. */
  readonly most: number;
  /** Drops what nobody reads, before it lies in memory with everything else that was listed. */
  readonly keep: (object: KubeObject) => KubeObject;
  /** A list or a watch failed in a way that will not mend by asking otherwise. */
  readonly onFailure: (error: unknown) => void;
}

type Follows = Pick<Transport, "list" | "watch">;

/** What caches follow a cluster with: keeps only what is read, and no more objects than are allowed. */
export function limitObjects(transport: Follows, { most, keep, onFailure }: ObjectLimitOptions): Follows {
  const counts = new Map<string, number>();
  return {
    async list(resource, options) {
      return await reported(() => listLimited(resource, options));
    },
    async *watch(resource, options) {
      try {
        yield* watchLimited(resource, options);
      } catch (error) {
        if (!isNotUnderstood(error)) onFailure(error);
        throw error;
      }
    },
  };

  async function listLimited(resource: GroupVersionResource, options: ListOptions = {}): Promise<KubeList> {
    if ((options.continue ?? "") === "") counts.delete(nameOf(resource));
    const page = await transport.list(resource, options);
    count(resource, page.items.length);
    return { ...page, items: page.items.map(keep) };
  }

  async function* watchLimited(resource: GroupVersionResource, options?: WatchOptions): AsyncGenerator<WatchEvent> {
    if (options?.sendInitialEvents === true) counts.delete(nameOf(resource));
    for await (const event of transport.watch(resource, options)) {
      if (event.kind === "bookmark") yield event;
      else {
        if (event.kind !== "modified") count(resource, event.kind === "added" ? 1 : -1);
        yield { kind: event.kind, object: keep(event.object) };
      }
    }
  }

  function count(resource: GroupVersionResource, more: number): void {
    const counted = (counts.get(nameOf(resource)) ?? 0) + more;
    counts.set(nameOf(resource), counted);
    if (counted > most)
      throw new UnusableClusterError(`the cluster has more than ${most} ${describeGroupResource(resource)}`);
  }

  async function reported<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      onFailure(error);
      throw error;
    }
  }
}

function nameOf({ group, resource }: GroupVersionResource): string {
  return `${group}/${resource}`;
}

/** Servers that do not know watches with everything in front of them are asked for a list instead. */
function isNotUnderstood(error: unknown): boolean {
  return error instanceof ApiError && (error.httpCode === 400 || error.httpCode === 422);
}
