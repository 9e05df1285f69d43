import {
  type GroupVersionResource,
  isNotFound,
  keyOf,
  type KubeList,
  type KubeObject,
  type ListOptions,
  type ObjectKey,
  type Status,
  type Transport,
} from "#machinery";
import type { RunningCache } from "./create-kind-cache.ts";

// The parts of an object that are answered with the whole object.
const wholeParts: ReadonlySet<string> = new Set(["", "status", "finalize", "approval"]);

/** Where something was written. */
interface Place {
  readonly resource: GroupVersionResource;
  readonly namespace?: string | undefined;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

interface Write extends Place {
  readonly key: ObjectKey;
  readonly subresource?: string;
}

/**
 * The same transport, after whose writes every cache of the resource has what was written: what the server answers is
 * taken in at once, and where it does not answer with the object, that is read. So no read from a cache is older than a
 * write that has returned, and none has to wait.
 */
export function rememberingTransport(transport: Transport, running: () => readonly RunningCache[]): Transport {
  return {
    ...readsOf(transport),
    async create(resource, object, options = {}) {
      const created = await transport.create(resource, object, options);
      const key = options.subresource === undefined ? keyOf(created) : keyOf(object);
      return await remembered({ resource, key, ...options }, created);
    },
    async update(resource, object, options = {}) {
      const updated = await transport.update(resource, object, options);
      return await remembered({ resource, key: keyOf(object), ...options }, updated);
    },
    async patch(resource, key, patch, options = {}) {
      return await remembered({ resource, key, ...options }, await transport.patch(resource, key, patch, options));
    },
    async apply(resource, object, options) {
      const applied = await transport.apply(resource, object, options);
      return await remembered({ resource, key: keyOf(object), ...options }, applied);
    },
    async delete(resource, key, options = {}) {
      const answer = await transport.delete(resource, key, options);
      await rememberDeletion({ resource, key, ...options }, answer);
      return answer;
    },
    async deleteCollection(resource, options = {}) {
      const answer = await transport.deleteCollection(resource, options);
      await rememberDeletions({ resource, ...options }, answer);
      return answer;
    },
  };

  async function remembered(write: Write, answer: KubeObject): Promise<KubeObject> {
    const isObject = wholeParts.has(write.subresource ?? "");
    for (const cache of cachesOf(placeOf(write))) {
      if (!isObject || !isSameVersion(cache, write)) await refresh(cache, write);
      else if (isGone(answer)) cache.gone(write.key, answer.metadata.uid ?? "");
      else cache.written(answer);
    }
    return answer;
  }

  async function rememberDeletion(write: Write, answer: KubeObject | Status): Promise<void> {
    const uid = isStatus(answer) ? answer.details?.uid : endOf(answer);
    for (const cache of cachesOf(placeOf(write))) {
      if (uid !== undefined) cache.gone(write.key, uid);
      else if (isStatus(answer) || !isSameVersion(cache, write)) await refresh(cache, write);
      else cache.written(answer);
    }
  }

  /** The answer names what was to be deleted, not what has become of it. */
  async function rememberDeletions(write: Place & ListOptions, { items }: KubeList): Promise<void> {
    for (const cache of cachesOf(write)) {
      const concerned = new Map([...items, ...cache.list(write)].map((item) => [item.metadata.uid ?? "", item]));
      await Promise.all(Array.from(concerned.values(), (item) => refresh(cache, { ...write, key: keyOf(item) }, item)));
    }
  }

  /** Brings a cache up to what the server has of an object now. */
  async function refresh(cache: RunningCache, { key, signal }: Write, known = cache.find(key)): Promise<void> {
    try {
      cache.written(await transport.get(cache.kind.resource, key, signal === undefined ? {} : { signal }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (known?.metadata.uid !== undefined) cache.gone(key, known.metadata.uid);
    }
  }

  function cachesOf({ resource, dryRun = false, namespace }: Place): readonly RunningCache[] {
    if (dryRun) return [];
    return running().filter((cache) => isSameResource(cache.kind.resource, resource) && cache.holds(namespace));
  }
}

function placeOf({ key, ...write }: Write): Place {
  return { ...write, namespace: key.namespace };
}

/** In whichever version. */
function isSameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.group === b.group && a.resource === b.resource;
}

function readsOf(transport: Transport): Pick<Transport, "get" | "list" | "watch" | "discover"> {
  return {
    get: (resource, key, options) => transport.get(resource, key, options),
    list: (resource, options) => transport.list(resource, options),
    watch: (resource, options) => transport.watch(resource, options),
    discover: (options) => transport.discover(options),
  };
}

function isSameVersion({ kind }: RunningCache, { resource }: Write): boolean {
  return kind.resource.version === resource.version;
}

function isStatus(answer: KubeObject | Status): answer is Status {
  return answer.kind === "Status" && answer.apiVersion === "v1";
}

/** An object that waits for nothing any more went with the write that took the last hindrance away. */
function isGone({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

/** The uid of a deleted object that is not there any more; some kinds are answered as they last were. */
function endOf(answer: KubeObject): string | undefined {
  return answer.metadata.deletionTimestamp === undefined || isGone(answer) ? answer.metadata.uid : undefined;
}
