import { type Clock, type Duration, hours, milliseconds, seconds, systemClock } from "#base";
import {
  type CallOptions,
  type GroupVersionResource,
  type Json,
  keyOf,
  type ListOptions,
  type Patch,
  type Transport,
  type WatchEvent,
  type WatchOptions,
} from "#machinery";
import type { Connection } from "../connection.ts";
import { createWirePool, type WirePoolOptions } from "../wire/wire-pool.ts";
import { answeredDeletion, answeredDeletions, answeredList, answeredObject } from "./answered-object.ts";
import { discoverResources } from "./discovery.ts";
import type { TransportObserver } from "./observer.ts";
import { createRateLimiter, type RateLimit } from "./rate-limit.ts";
import {
  deleteBody,
  listQuery,
  pathOf,
  type Place,
  type Query,
  watchQuery,
  withQuery,
  writeQuery,
} from "./request-path.ts";
import { type Call, createRequester } from "./requester.ts";
import type { RetryLimits } from "./retry-policy.ts";
import { watchEvents } from "./watch-events.ts";

/** How a transport behaves; everything may be left out. */
export interface HttpTransportOptions extends Omit<WirePoolOptions, "clock" | "onConnection"> {
  readonly clock?: Clock;
  /** What the server calls this client; up to the first slash it is also the name of its field manager. */
  readonly userAgent?: string;
  /** How long one request may take, watches aside; the call's own signal may end it earlier. */
  readonly requestTimeout?: Duration;
  /** The longest answer that is read, in bytes after decompression. */
  readonly mostAnswerBytes?: number;
  /** The longest that all answers under way may be together, in bytes as they come; no limit unless told. */
  readonly mostBytesAtOnce?: number;
  /** The longest event of a watch, in bytes. */
  readonly mostEventBytes?: number;
  /** Slows this client down; absent, it is as fast as the server lets it be. */
  readonly rateLimit?: RateLimit;
  readonly retries?: RetryLimits;
  readonly observer?: TransportObserver;
}

/** A transport over the network, which holds connections until it is closed. */
export interface HttpTransport extends Transport, Disposable {
  /** Any JSON that the server has at a path, such as `/version`. */
  read(path: string, options?: CallOptions): Promise<Json>;
  /** Resolves where the server answers a path well, whatever it says. Not held back by the rate limit. */
  probe(path: string, options?: CallOptions): Promise<void>;
  /** Ends all calls and connections. */
  close(): void;
}

// No server lets a watch go on for longer; what does is not there any more.
const longestWatch = hours(2);
// A watch that should have ended by itself is given so much more.
const watchGrace = seconds(30);

const methods = {
  get: "GET",
  list: "GET",
  watch: "GET",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  apply: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETE",
} as const;

/** What is asked of a place. */
interface Asked extends Pick<Call, "accept" | "body" | "contentType" | "signal" | "onWarning"> {
  readonly verb: keyof typeof methods;
  readonly query?: Query;
}

const patchTypes: Readonly<Record<Patch["kind"], string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

/** Talks to a remote API server. Connections are opened when the first call needs them. */
export function createHttpTransport(connection: Connection, options: HttpTransportOptions = {}): HttpTransport {
  const { clock = systemClock, observer = {}, rateLimit, mostEventBytes = 32 * 1024 * 1024 } = options;
  const pool = createWirePool(connection, {
    ...options,
    clock,
    onConnection: (event) => observer.onConnection?.(event),
  });
  const requester = createRequester({
    connection,
    pool,
    clock,
    observer,
    userAgent: options.userAgent ?? "capstan",
    requestTimeout: options.requestTimeout ?? seconds(90),
    mostBytes: options.mostAnswerBytes ?? 256 * 1024 * 1024,
    mostBytesAtOnce: options.mostBytesAtOnce ?? Infinity,
    limiter: rateLimit === undefined ? undefined : createRateLimiter(rateLimit, { clock }),
    retries: options.retries,
  });

  return {
    get: (resource, key, { resourceVersion, subresource, ...rest } = {}) =>
      ask({ resource, ...key, subresource }, { verb: "get", query: { resourceVersion }, ...rest }, answeredObject),
    list: (resource, { namespace, ...rest } = {}) =>
      ask(
        { resource, namespace },
        { verb: "list", query: listQuery(rest), ...acceptedList(rest), ...rest },
        (answer, question) => answeredList(answer, question, rest),
      ),
    watch: (resource, watch = {}) => watchResource(resource, watch),
    create: (resource, object, { subresource, ...rest } = {}) => {
      const { namespace, name } = keyOf(object);
      // Only what is created inside another object, such as an eviction, is created under a name.
      const place = subresource === undefined ? { resource, namespace } : { resource, namespace, name, subresource };
      return ask(place, { verb: "create", query: writeQuery(rest), body: object, ...rest }, answeredObject);
    },
    update: (resource, object, { subresource, ...rest } = {}) =>
      ask(
        { resource, ...keyOf(object), subresource },
        { verb: "update", query: writeQuery(rest), body: object, ...rest },
        answeredObject,
      ),
    patch: (resource, key, patch, { subresource, ...rest } = {}) =>
      ask(
        { resource, ...key, subresource },
        {
          verb: "patch",
          query: writeQuery(rest),
          body: patch.kind === "json" ? patch.operations : patch.patch,
          contentType: patchTypes[patch.kind],
          ...rest,
        },
        answeredObject,
      ),
    apply: (resource, object, { subresource, force, ...rest }) =>
      ask(
        { resource, ...keyOf(object), subresource },
        {
          verb: "apply",
          query: { ...writeQuery(rest), force },
          body: object,
          // JSON is YAML, and the only kind of apply that every server takes.
          contentType: "application/apply-patch+yaml",
          ...rest,
        },
        answeredObject,
      ),
    delete: (resource, key, rest = {}) =>
      ask({ resource, ...key }, { verb: "delete", body: deleteBody(rest), ...rest }, answeredDeletion),
    deleteCollection: (resource, { namespace, ...rest } = {}) =>
      ask(
        { resource, namespace },
        { verb: "deletecollection", query: listQuery(rest), body: deleteBody(rest), ...rest },
        answeredDeletions,
      ),
    discover: (rest) => discoverResources(requester, rest),
    read: async (path, { signal, onWarning } = {}) =>
      (await requester.ask({ verb: "read", method: "GET", path, signal, onWarning })).json,
    probe: (path, { signal, onWarning } = {}) =>
      requester.reach({ verb: "probe", method: "GET", path, signal, onWarning, urgent: true }),
    close: () => pool.close(),
    [Symbol.dispose]: () => pool.close(),
  };

  async function ask<T>(place: Place, asked: Asked, readAs: (answer: Json, question: string) => T): Promise<T> {
    const call = callOf(place, asked);
    const { json } = await requester.ask(call);
    return readAs(json, `${call.method} ${call.path}`);
  }

  function watchResource(resource: GroupVersionResource, watch: WatchOptions): AsyncIterable<WatchEvent> {
    const { namespace, signal, onWarning, timeout } = watch;
    const asked = { verb: "watch", query: watchQuery(watch), ...acceptedEvents(watch), onWarning } as const;
    const beginning = {
      clock,
      signal,
      timeout: timeout === undefined ? longestWatch : milliseconds(timeout + watchGrace),
      open: (until: AbortSignal) => requester.open(callOf({ resource, namespace }, { ...asked, signal: until })),
    };
    return watchEvents(beginning, { ...watch, mostBytes: mostEventBytes });
  }
}

// A server that has no such form answers with whole objects.
function acceptedList({ metadataOnly = false }: ListOptions): Pick<Call, "accept"> {
  return metadataOnly ? { accept: `${metadataForm("PartialObjectMetadataList")},application/json` } : {};
}

function acceptedEvents({ metadataOnly = false }: WatchOptions): Pick<Call, "accept"> {
  return metadataOnly ? { accept: `${metadataForm("PartialObjectMetadata")},application/json` } : {};
}

function metadataForm(kind: string): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1`;
}

function callOf(place: Place, { verb, query = {}, accept, body, contentType, signal, onWarning }: Asked): Call {
  const { resource, subresource, name } = place;
  return {
    verb,
    method: methods[verb],
    path: withQuery(pathOf(place), query),
    resource,
    subresource,
    name,
    signal,
    onWarning,
    ...(accept === undefined ? {} : { accept }),
    ...(body === undefined ? {} : { body }),
    ...(contentType === undefined ? {} : { contentType }),
  };
}
