import { deepFreeze, type KubeObject, type WriteOptions } from "#machinery";
import type { Operation } from "#apiserver/store";
import type { Engine, Request } from "./engine.ts";
import { isShownAsIs, oneShownIn } from "./versions.ts";

/** A write that everyone has agreed to. */
export interface AgreedWrite {
  readonly op: Operation;
  readonly namespace: string;
  readonly name: string;
  /** As it is to be kept. */
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}

/**
 * Makes a write durable and answers in the version of the request. Has to be called in the same turn in which the head
 * of the object was looked at. A dry run ends here.
 */
export async function commit(engine: Engine, request: Request<WriteOptions>, write: AgreedWrite): Promise<KubeObject> {
  const { target, options } = request;
  const { definition, collection } = target;
  if (options.dryRun === true) return await oneShownIn(target, rehearsed(write));
  const { lifetimeSeconds } = definition.behaviour;
  const expiring = lifetimeSeconds !== undefined && write.op !== "delete";
  const stored = await engine.committer.stage({
    ...write,
    collection,
    ...(expiring ? { expires: engine.clock.instant() + lifetimeSeconds * 1000 } : {}),
  });
  return isShownAsIs(target, stored) ? stored : await oneShownIn(target, stored);
}

/** What a dry run answers: a new object has no resourceVersion yet, an old one keeps the one that it has. */
function rehearsed({ object, previous }: AgreedWrite): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const version = previous?.metadata.resourceVersion;
  return deepFreeze({
    ...object,
    metadata: version === undefined ? metadata : { ...metadata, resourceVersion: version },
  });
}
