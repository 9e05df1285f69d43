import { type Clock, quote, timestampOf } from "#base";
import {
  badRequest,
  conflict,
  fieldAt,
  FieldPath,
  invalid,
  invalidObject,
  type KubeObject,
  notFound,
} from "#machinery";
import type { Plane } from "#apiserver/registry";
import type { AccountClaims, AccountTokens, BoundObject } from "../identity/account-tokens.ts";
import { textsIn } from "../rbac/policy-rule.ts";
import { type AnsweredResource, answeredResource, objectIn, type Question, textIn } from "./answered-resource.ts";

export interface TokenRequestParts {
  readonly plane: Pick<Plane, "get">;
  readonly tokens: AccountTokens;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** For whom a token is that is not told for whom. */
  readonly audiences: readonly string[];
}

const kind = { group: "authentication.k8s.io", kind: "TokenRequest" };
const shortest = 600;
const longest = 2 ** 32;
const usual = 3600;

/** Tokens of service accounts: `serviceaccounts/token`. */
export function tokenRequest(parts: TokenRequestParts): AnsweredResource {
  const about = { group: "", version: "v1", resource: "serviceaccounts", subresource: "token", namespaced: true };
  return answeredResource({ ...about, kind: "TokenRequest", kindIn: kind.group }, (question) => issue(parts, question));
}

async function issue(parts: TokenRequestParts, question: Question): Promise<KubeObject> {
  const { plane, tokens, clock, uuid } = parts;
  const { namespace, name, body } = question;
  checkName(body, name);
  const account = plane.get({ group: "", resource: "serviceaccounts" }, { namespace, name });
  if (account === undefined) throw notFound({ group: "", resource: "serviceaccounts" }, name);
  const spec = objectIn(body, "spec");
  const lifetime = lifetimeIn(body);
  const asked = textsIn(spec, "audiences");
  const audiences = asked.length === 0 ? parts.audiences : asked;
  const issuedAt = Math.floor(clock.instant() / 1000);
  const token = await tokens.sign({
    id: uuid(),
    audiences,
    namespace,
    account: identityOf(account),
    ...boundTo(plane, question),
    issuedAt,
    notBefore: issuedAt,
    expires: issuedAt + lifetime,
  });
  const { metadata } = body;
  return {
    ...body,
    metadata: { ...metadata, name, namespace, uid: identityOf(account).uid, creationTimestamp: clock.now() },
    spec: { audiences, expirationSeconds: lifetime, boundObjectRef: spec["boundObjectRef"] ?? null },
    status: { token, expirationTimestamp: timestampOf((issuedAt + lifetime) * 1000) },
  };
}

function checkName({ metadata }: KubeObject, name: string): void {
  const { name: given = "" } = metadata;
  if (given === "" || given === name) return;
  const why = "must match the service account name if specified";
  throw invalidObject(kind, name, [invalid(FieldPath.of("metadata", "name"), given, why)]);
}

/** How long a token is to live, in seconds. */
function lifetimeIn(body: KubeObject): number {
  const given = fieldAt(body, "spec", "expirationSeconds");
  const lifetime = typeof given === "number" || typeof given === "bigint" ? Number(given) : usual;
  const refuse = (why: string) =>
    invalidObject(kind, body.metadata.name ?? "", [invalid(FieldPath.of("spec", "expirationSeconds"), lifetime, why)]);
  if (lifetime < shortest) throw refuse("may not specify a duration less than 10 minutes");
  if (lifetime > longest) throw refuse("may not specify a duration larger than 2^32 seconds");
  return lifetime;
}

/** The object that a token is to be bound to, and the node of a pod, which goes with it. */
function boundTo(plane: Pick<Plane, "get">, { namespace, name: account, body }: Question): Partial<AccountClaims> {
  const reference = objectIn(objectIn(body, "spec"), "boundObjectRef");
  const [referenced, name] = [textIn(reference, "kind"), textIn(reference, "name")];
  if (Object.keys(reference).length === 0) return {};
  switch (referenced) {
    case "Pod": {
      const pod = found(plane, "pods", { namespace, name }, reference);
      if (textIn(objectIn(pod, "spec"), "serviceAccountName") !== account) {
        const why = "to pod running with different serviceaccount name.";
        throw badRequest(`cannot bind token for serviceaccount ${quote(account)} ${why}`);
      }
      return { pod: identityOf(pod), ...nodeOf(plane, pod) };
    }
    case "Secret":
      return { secret: identityOf(found(plane, "secrets", { namespace, name }, reference)) };
    case "Node":
      return { node: identityOf(found(plane, "nodes", { namespace: "", name }, reference)) };
    default: {
      const apiVersion = textIn(reference, "apiVersion");
      const version = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
      throw badRequest(`cannot bind token to object of type ${version}, Kind=${referenced}`);
    }
  }
}

function found(
  plane: Pick<Plane, "get">,
  resource: string,
  key: { readonly namespace: string; readonly name: string },
  reference: object,
): KubeObject {
  if (key.name === "") throw badRequest("Name parameter required.");
  const object = plane.get({ group: "", resource }, key);
  if (object === undefined) throw notFound({ group: "", resource }, key.name);
  const uid = textIn(reference, "uid");
  if (uid !== "" && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    // The real server names the kind here, not the resource.
    throw conflict({ group: "", resource: textIn(reference, "kind") }, key.name, why);
  }
  return object;
}

/** The node that a pod runs on, where it is known. */
function nodeOf(plane: Pick<Plane, "get">, pod: KubeObject): Partial<AccountClaims> {
  const name = textIn(objectIn(pod, "spec"), "nodeName");
  if (name === "") return {};
  const node = plane.get({ group: "", resource: "nodes" }, { name });
  return node === undefined ? {} : { node: identityOf(node) };
}

function identityOf({ metadata }: KubeObject): BoundObject {
  return { name: metadata.name ?? "", uid: metadata.uid ?? "" };
}
