import { bracketed, type Clock, instantOf, quote } from "#base";
import type { Caller } from "#apiserver/admission";
import type { Plane } from "#apiserver/registry";
import type { KubeObject } from "#machinery";
import { accountGroups, accountUser } from "../rbac/subjects.ts";
import type { AccountClaims, BoundObject } from "./account-tokens.ts";
import { credentialId } from "./well-known.ts";

/** Whether a genuine token still counts. */
export type Standing =
  | { readonly kind: "good"; readonly caller: Caller; readonly audiences: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

// Clocks differ, as the real server knows too.
const leeway = 60;
const invalidated = "service account token has been invalidated";

/** Looks at the time, the audiences, and all that a token is bound to, in memory. */
export function standingOf(
  claims: AccountClaims,
  wanted: readonly string[],
  { plane, clock }: { readonly plane: Pick<Plane, "get">; readonly clock: Clock },
): Standing {
  const now = clock.instant() / 1000;
  const why = timeProblem(claims, now) ?? audienceProblem(claims, wanted) ?? bindingProblem(claims, plane, now);
  if (why !== undefined) return { kind: "refused", why };
  const audiences = claims.audiences.filter((audience) => wanted.includes(audience));
  return { kind: "good", caller: callerOf(claims), audiences };
}

function timeProblem({ expires, notBefore, issuedAt }: AccountClaims, now: number): string | undefined {
  if (now - leeway > expires) return "service account token has expired";
  if (now + leeway < notBefore) return "service account token is not valid yet";
  if (now + leeway < issuedAt) return "service account token is issued in the future";
  return undefined;
}

function audienceProblem({ audiences }: AccountClaims, wanted: readonly string[]): string | undefined {
  if (audiences.some((audience) => wanted.includes(audience))) return undefined;
  const [ours, theirs] = [wanted, audiences].map((list) => bracketed(list.map(quote)));
  return `token audiences ${theirs} is invalid for the target audiences ${ours}`;
}

function bindingProblem(claims: AccountClaims, plane: Pick<Plane, "get">, now: number): string | undefined {
  const { namespace, account, pod, secret, node } = claims;
  const find = (resource: string, home: string, { name }: BoundObject) =>
    plane.get({ group: "", resource }, { namespace: home, name });
  const serviceAccount = find("serviceaccounts", namespace, account);
  if (serviceAccount === undefined) return `serviceaccounts ${quote(account.name)} not found`;
  const { uid = "" } = serviceAccount.metadata;
  if (uid !== account.uid) return `service account UID (${uid}) does not match claim (${account.uid})`;
  if (isLeaving(serviceAccount, now)) return invalidated;
  const bound = [
    { object: secret && find("secrets", namespace, secret), claim: secret },
    { object: pod && find("pods", namespace, pod), claim: pod },
    // The node of a pod is told, but not held against the token: pods do not move.
    { object: node && find("nodes", "", node), claim: pod === undefined ? node : undefined },
  ];
  const lost = bound.some(
    ({ object, claim }) =>
      claim !== undefined && (object === undefined || object.metadata.uid !== claim.uid || isLeaving(object, now)),
  );
  return lost ? invalidated : undefined;
}

/** True for what should have been gone for a minute. */
function isLeaving({ metadata }: KubeObject, now: number): boolean {
  return metadata.deletionTimestamp !== undefined && instantOf(metadata.deletionTimestamp) / 1000 + leeway < now;
}

function callerOf({ namespace, account, id, pod, node }: AccountClaims): Caller {
  const prefix = "authentication.kubernetes.io";
  return {
    name: accountUser(namespace, account.name),
    uid: account.uid,
    groups: accountGroups(namespace),
    extra: {
      [credentialId]: [`JTI=${id}`],
      ...(node === undefined ? {} : { [`${prefix}/node-name`]: [node.name], [`${prefix}/node-uid`]: [node.uid] }),
      ...(pod === undefined ? {} : { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid] }),
    },
  };
}
