import type { Client } from "#client";
import type { CallOptions } from "#machinery";
import type { PassClient } from "../pass/pass.ts";
import type { Reader } from "../reader.ts";

/** Says whether a pass may still act. */
export interface Fence {
  /** Aborted when the pass has to end. */
  readonly signal: AbortSignal;
  /** Throws where the pass may not write any more, even if nobody has told it yet. */
  check(): void;
}

/**
 * The client of one pass. A pass that was abandoned may go on in some corner of its own; through this client it can no
 * longer write, so that it never meets the pass that follows it, nor another leader.
 */
export function fencedClient(client: PassClient, fence: Fence): PassClient {
  const reading = <O extends CallOptions>(options?: O) => withSignal(options, fence.signal);
  const writing = <O extends CallOptions>(options?: O) => {
    fence.check();
    return withSignal(options, fence.signal);
  };
  const fenced: { [Verb in keyof PassClient]: Client[Verb] } = {
    get: async (kind, key, options) => await client.get(kind, key, reading(options)),
    find: async (kind, key, options) => await client.find(kind, key, reading(options)),
    list: async (kind, options) => await client.list(kind, reading(options)),
    listAll: async (kind, options) => await client.listAll(kind, reading(options)),
    scale: async (kind, key, options) => await client.scale(kind, key, reading(options)),
    create: async (kind, object, options) => await client.create(kind, object, writing(options)),
    update: async (kind, object, options) => await client.update(kind, object, writing(options)),
    patch: async (kind, key, patch, options) => await client.patch(kind, key, patch, writing(options)),
    apply: async (kind, object, options) => await client.apply(kind, object, writing(options)),
    delete: async (kind, key, options) => await client.delete(kind, key, writing(options)),
    deleteAll: async (kind, options) => await client.deleteAll(kind, writing(options)),
    updateStatus: async (kind, object, options) => await client.updateStatus(kind, object, writing(options)),
    patchStatus: async (kind, key, patch, options) => await client.patchStatus(kind, key, patch, writing(options)),
    applyStatus: async (kind, object, options) => await client.applyStatus(kind, object, writing(options)),
    setReplicas: async (kind, key, replicas, options) =>
      await client.setReplicas(kind, key, replicas, writing(options)),
  };
  return fenced;
}

/** The reader of one pass: what it waits for ends with the pass. */
export function fencedReader(reader: Reader, { signal }: Fence): Reader {
  return {
    get: async (kind, key, options) => await reader.get(kind, key, withSignal(options, signal)),
    find: async (kind, key, options) => await reader.find(kind, key, withSignal(options, signal)),
    list: async (kind, options) => await reader.list(kind, withSignal(options, signal)),
  };
}

function withSignal<O extends Pick<CallOptions, "signal">>(
  options: O | undefined,
  signal: AbortSignal,
): O & { readonly signal: AbortSignal } {
  signal.throwIfAborted();
  const own = options?.signal;
  const joined = own === undefined || own === signal ? signal : AbortSignal.any([own, signal]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same options with another signal
  return { ...options, signal: joined } as O & { readonly signal: AbortSignal };
}
