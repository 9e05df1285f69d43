import type { IncomingHttpHeaders } from "node:http";
import {
  ApiError,
  asJson,
  decodeJson,
  fieldAt,
  type GroupVersionResource,
  isJsonObject,
  type Json,
  type KubeObject,
} from "#machinery";
import type { ResourceAttributes } from "#apiserver/auth";
import type { SecuredServer } from "./secured-server.ts";

/** A request as it comes over the wire, without a wire. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: Json | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface Answer {
  readonly code: number;
  readonly answer: Json;
}

/** Does what a server does with a request: finds out who asks, whether he may, and what the answer is. */
export async function ask({ server, security }: SecuredServer, request: Request): Promise<Answer> {
  try {
    const caller = await security.authenticate({ headers: request.headers });
    const target = targetOf(request);
    await security.authorize(caller, target);
    if ("path" in target) return { code: 404, answer: {} };
    const body = objectOf(request.body);
    const answered = security.answeredResources.find(
      (each) =>
        each.group === target.group && each.resource === target.resource && each.subresource === target.subresource,
    );
    if (answered !== undefined) {
      const { namespace, name } = target;
      const answer = await answered.create({ caller, namespace, name, body, dryRun: false });
      return { code: 201, answer: asJson(answer) };
    }
    return await write(server.transport(caller), request, target, body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.httpCode, answer: decodeJson(Buffer.from(JSON.stringify(error.status))).value };
  }
}

/** What was sent as an object, whatever it lacks. */
function objectOf(body: Json = {}): KubeObject {
  const given = isJsonObject(body) ? body : {};
  const text = (field: string) => {
    const value = given[field];
    return typeof value === "string" ? value : "";
  };
  return { ...given, apiVersion: text("apiVersion"), kind: text("kind"), metadata: { ...Object(given["metadata"]) } };
}

async function write(
  transport: ReturnType<SecuredServer["server"]["transport"]>,
  { method, body: patch }: Request,
  target: ResourceAttributes,
  body: KubeObject,
): Promise<Answer> {
  const resource: GroupVersionResource = target;
  const { namespace, name } = target;
  const key = namespace === "" ? { name } : { namespace, name };
  switch (method) {
    case "POST":
      return { code: 201, answer: asJson(await transport.create(resource, body)) };
    case "PATCH":
      return { code: 200, answer: asJson(await transport.patch(resource, key, { kind: "merge", patch: patch ?? {} })) };
    case "GET":
      return { code: 200, answer: asJson(await transport.get(resource, key)) };
    default:
      throw new Error(`${method} is not asked for`);
  }
}

/** What a request is about, as the HTTP face reads it from the path. */
function targetOf({ method, path }: Request): ResourceAttributes | { readonly verb: string; readonly path: string } {
  const url = new URL(path, "https://server");
  const [, root, ...rest] = url.pathname.split("/");
  const isResource = (root === "api" && rest.length > 1) || (root === "apis" && rest.length > 2);
  if (!isResource) return { verb: method.toLowerCase(), path: url.pathname };
  const [group = "", version = "", ...segments] = root === "api" ? ["", ...rest] : rest;
  const inNamespace = segments[0] === "namespaces" && segments.length > 2;
  const [resource = "", name = "", subresource = ""] = inNamespace ? segments.slice(2) : segments;
  const verb = verbOf(method, name, url.searchParams.has("watch"));
  return { verb, group, version, resource, subresource, namespace: inNamespace ? (segments[1] ?? "") : "", name };
}

function verbOf(method: string, name: string, watching: boolean): string {
  if (watching) return "watch";
  if (name === "" && method === "GET") return "list";
  if (name === "" && method === "DELETE") return "deletecollection";
  return { GET: "get", POST: "create", PATCH: "patch", PUT: "update", DELETE: "delete" }[method] ?? "";
}

/** A token of a service account. */
export async function tokenOf(server: SecuredServer, namespace: string, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const headers = { authorization: "Bearer admin-token" };
  const { answer } = await ask(server, { method: "POST", path, headers, body: { spec: {} } });
  return String(fieldAt(answer, "status", "token"));
}
