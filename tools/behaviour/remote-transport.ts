import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import {
  ApiError,
  type DeleteOptions,
  fieldAt,
  type GroupVersionResource,
  type KubeList,
  type KubeObject,
  type ObjectKey,
  type Patch,
  type Status,
  type Transport,
  type WatchEvent,
} from "#machinery";
import { load } from "js-yaml";

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: object;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  readonly onWarning?: (text: string) => void;
}

/** The API server of a kubeconfig with client certificates, as far as the behaviour suite needs it. */
export function remoteTransport(kubeconfig: string): Transport {
  const config = load(readFileSync(kubeconfig, "utf8"));
  const cluster = firstOf(config, "clusters", "cluster");
  const user = firstOf(config, "users", "user");
  const server = String(fieldAt(cluster, "server"));
  const decoded = (from: unknown, name: string) => Buffer.from(String(fieldAt(from, name)), "base64");
  const agent = new Agent({
    keepAlive: true,
    ca: decoded(cluster, "certificate-authority-data"),
    cert: decoded(user, "client-certificate-data"),
    key: decoded(user, "client-key-data"),
  });

  return {
    get: (resource, key, { resourceVersion, ...options } = {}) =>
      ask<KubeObject>({
        ...options,
        method: "GET",
        path: pathOf(resource, key, options.subresource),
        query: { resourceVersion },
      }),
    list: (resource, { namespace, ...options } = {}) =>
      ask<KubeList>({
        ...options,
        method: "GET",
        path: pathOf(resource, { namespace: namespace ?? "", name: "" }),
        query: options,
      }),
    watch: (resource, options = {}) => watch(resource, options),
    create: (resource, object, options = {}) =>
      ask<KubeObject>({
        ...options,
        method: "POST",
        path: pathOf(resource, { ...keyOf(object), name: "" }),
        query: options,
        body: object,
      }),
    update: (resource, object, options = {}) =>
      ask<KubeObject>({
        ...options,
        method: "PUT",
        path: pathOf(resource, keyOf(object), options.subresource),
        query: options,
        body: object,
      }),
    patch: (resource, key, patch, options = {}) =>
      ask<KubeObject>({
        ...options,
        method: "PATCH",
        path: pathOf(resource, key, options.subresource),
        query: options,
        body: patch.kind === "json" ? patch.operations : patch.patch,
        contentType: patchTypes[patch.kind],
      }),
    apply: (resource, object, options) =>
      ask<KubeObject>({
        ...options,
        method: "PATCH",
        path: pathOf(resource, keyOf(object), options.subresource),
        query: options,
        body: object,
        contentType: "application/apply-patch+yaml",
      }),
    delete: (resource, key, { signal, onWarning, ...options } = {}) =>
      ask<KubeObject | Status>({
        ...(signal === undefined ? {} : { signal }),
        ...(onWarning === undefined ? {} : { onWarning }),
        method: "DELETE",
        path: pathOf(resource, key),
        body: deleteOptions(options),
      }),
    deleteCollection: (resource, { namespace, ...options } = {}) =>
      ask<KubeList>({
        ...options,
        method: "DELETE",
        path: pathOf(resource, { namespace: namespace ?? "", name: "" }),
        query: options,
        body: deleteOptions(options),
      }),
    discover: () => Promise.reject(new Error("discovery is not part of the suite")),
  };

  async function ask<T>(call: Call): Promise<T> {
    const response = await send(call);
    const chunks: Buffer[] = [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a response yields buffers
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const answer: unknown = parsed(Buffer.concat(chunks).toString(), response);
    for (const text of warningsIn(response)) call.onWarning?.(text);
    if ((response.statusCode ?? 500) >= 400) throw errorOf(answer);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server answers what was asked for
    return answer as T;
  }

  function send({ method, path, query = {}, body, contentType = "application/json", signal }: Call) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        "user-agent": "suite/1",
        ...(text === undefined ? {} : { "content-type": contentType, "content-length": Buffer.byteLength(text) }),
      };
      const url = new URL(`${path}?${queryText(query)}`, server);
      const call = request(url, { method, headers, agent, ...(signal === undefined ? {} : { signal }) }, resolve);
      // Also told when a watch is stopped, long after the answer began.
      call.on("error", reject);
      call.end(text);
    });
  }

  async function* watch(
    resource: GroupVersionResource,
    { namespace, signal, timeout, ...options }: Parameters<Transport["watch"]>[1] & object,
  ): AsyncGenerator<WatchEvent> {
    const stop = new AbortController();
    signal?.addEventListener("abort", () => stop.abort());
    const response = await send({
      method: "GET",
      path: pathOf(resource, { namespace: namespace ?? "", name: "" }),
      query: {
        ...options,
        watch: "true",
        timeoutSeconds: timeout === undefined ? undefined : Math.ceil(timeout / 1000),
      },
      signal: stop.signal,
    });
    response.setEncoding("utf8");
    if ((response.statusCode ?? 500) >= 400) throw errorOf(JSON.parse(await textOf(response)));
    let rest = "";
    try {
      for await (const chunk of response) {
        const lines = `${rest}${String(chunk)}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) yield eventOf(JSON.parse(line));
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      stop.abort();
    }
  }
}

const patchTypes: Readonly<Record<Patch["kind"], string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

function pathOf({ group, version, resource }: GroupVersionResource, key: ObjectKey, subresource = ""): string {
  const parts = [
    group === "" ? "/api" : `/apis/${group}`,
    version,
    ...((key.namespace ?? "") === "" || resource === "namespaces" ? [] : ["namespaces", key.namespace ?? ""]),
    resource,
    ...(key.name === "" ? [] : [encodeURIComponent(key.name)]),
    ...(subresource === "" ? [] : [subresource]),
  ];
  return parts.join("/");
}

function keyOf({ metadata }: KubeObject): ObjectKey {
  return { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
}

const notInQuery = new Set([
  "signal",
  "onWarning",
  "subresource",
  "propagationPolicy",
  "preconditions",
  "gracePeriodSeconds",
]);

function queryText(query: object): string {
  const entries = Object.entries<unknown>({ ...query })
    .filter(([name, value]) => value !== undefined && !notInQuery.has(name))
    .map(([name, value]): [string, string] => [name, name === "dryRun" ? "All" : String(value)]);
  return new URLSearchParams(entries).toString();
}

function deleteOptions(options: DeleteOptions): object {
  const { propagationPolicy, preconditions, gracePeriodSeconds, dryRun } = options;
  return {
    kind: "DeleteOptions",
    apiVersion: "v1",
    propagationPolicy,
    preconditions,
    gracePeriodSeconds,
    dryRun: dryRun === true ? ["All"] : undefined,
  };
}

function warningsIn({ headers }: IncomingMessage): readonly string[] {
  const lines = headers["warning"] ?? "";
  return [...lines.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
}

function parsed(text: string, { statusCode = 0 }: IncomingMessage): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the server answered ${statusCode} ${text}`, { cause: error });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of response) chunks.push(String(chunk));
  return chunks.join("");
}

function errorOf(answer: unknown): ApiError {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- refusals are Status objects
  const { code = 500, reason = "", message = "", details, metadata } = answer as Status;
  return new ApiError({
    httpCode: code,
    reason,
    message,
    ...(details === undefined ? {} : { details }),
    ...(metadata.continue === undefined ? {} : { continue: metadata.continue }),
  });
}

function eventOf(message: unknown): WatchEvent {
  const type = fieldAt(message, "type");
  const object = fieldAt(message, "object");
  if (type === "ERROR") throw errorOf(object);
  if (type === "BOOKMARK") {
    const annotations = fieldAt(object, "metadata", "annotations");
    return {
      kind: "bookmark",
      resourceVersion: String(fieldAt(object, "metadata", "resourceVersion")),
      initialEventsEnd: fieldAt(annotations, "k8s.io/initial-events-end") === "true",
    };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other types are these three, about objects
  return { kind: String(type).toLowerCase(), object } as WatchEvent;
}

function firstOf(config: unknown, list: string, name: string): unknown {
  const members = fieldAt(config, list);
  return Array.isArray(members) ? fieldAt(members[0], name) : undefined;
}
