import type { Clock, Duration } from "#base";
import { withDeadline } from "#client";
import type { CallOptions, Transport, WatchEvent } from "#machinery";
import { eitherOf } from "./either-signal.ts";

/** What calls over a transport are bounded by. */
export interface TransportBounds {
  readonly clock: Clock;
  /** How long one call may take, with all its waiting and all its retries; a watch may take as long as it likes. */
  readonly timeout: Duration;
  /** Ends all calls; they fail with its reason. */
  readonly signal: AbortSignal;
}

/** The same transport, over which every call ends in time, and all of them end together. */
export function boundedTransport(transport: Transport, bounds: TransportBounds): Transport {
  return {
    get: (resource, key, options) => inTime("get", options, (rest) => transport.get(resource, key, rest)),
    list: (resource, options) => inTime("list", options, (rest) => transport.list(resource, rest)),
    create: (resource, object, options) =>
      inTime("create", options, (rest) => transport.create(resource, object, rest)),
    update: (resource, object, options) =>
      inTime("update", options, (rest) => transport.update(resource, object, rest)),
    patch: (resource, key, patch, options) =>
      inTime("patch", options, (rest) => transport.patch(resource, key, patch, rest)),
    apply: (resource, object, options) => inTime("apply", options, (rest) => transport.apply(resource, object, rest)),
    delete: (resource, key, options) => inTime("delete", options, (rest) => transport.delete(resource, key, rest)),
    deleteCollection: (resource, options) =>
      inTime("deletecollection", options, (rest) => transport.deleteCollection(resource, rest)),
    discover: (options) => inTime("discover", options, (rest) => transport.discover(rest)),
    watch: (resource, options = {}) => watchUntilEnd(options, (rest) => transport.watch(resource, rest)),
  };

  async function inTime<Options extends CallOptions, T>(
    verb: string,
    options: Options | undefined,
    call: (options: Options & { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const { clock, timeout } = bounds;
    const either = eitherOf(options?.signal, bounds.signal);
    try {
      either.signal.throwIfAborted();
      const deadline = { clock, timeout, signal: either.signal, what: `${verb} with its retries` };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- options that may be left out are all optional
      return await withDeadline(deadline, (signal) => call({ ...(options as Options), signal }));
    } catch (error) {
      throw bounds.signal.aborted ? bounds.signal.reason : error;
    } finally {
      either.release();
    }
  }

  async function* watchUntilEnd<Options extends CallOptions>(
    options: Options,
    watch: (options: Options) => AsyncIterable<WatchEvent>,
  ): AsyncGenerator<WatchEvent> {
    const either = eitherOf(options.signal, bounds.signal);
    try {
      yield* watch({ ...options, signal: either.signal });
      bounds.signal.throwIfAborted();
    } finally {
      either.release();
    }
  }
}
