import type { IncomingHttpHeaders } from "node:http";
import { badRequest } from "#machinery";
import type { Caller } from "#apiserver/admission";
import type { ResourceAttributes } from "../rbac/attributes.ts";
import type { Authorizer } from "../rbac/authorizer.ts";
import { accountGroups, accountOf } from "../rbac/subjects.ts";
import { anonymous, authenticated, unauthenticated } from "./well-known.ts";

/** As whom a request is to be taken. */
interface Wish {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const prefix = "impersonate-";
const extraPrefix = `${prefix}extra-`;

/** The caller as whom a request counts: somebody else, where headers ask for it and roles allow it. */
export function impersonated(caller: Caller, headers: IncomingHttpHeaders, authorizer: Authorizer): Caller {
  const wish = wishIn(headers);
  if (wish === undefined) return caller;
  if (wish.user === "") throw badRequest(`requested ${describe(wish)} without impersonating a user`);
  for (const attributes of attributesOf(wish)) authorizer.authorize(caller, attributes);
  return {
    name: wish.user,
    groups: groupsOf(wish),
    ...(wish.uid === "" ? {} : { uid: wish.uid }),
    ...(wish.extra.size === 0 ? {} : { extra: Object.fromEntries(wish.extra) }),
    impersonator: caller,
  };
}

function wishIn(headers: IncomingHttpHeaders): Wish | undefined {
  if (!asksForSomebody(headers)) return undefined;
  const user = oneOf(headers["impersonate-user"]);
  const groups = valuesOf(headers["impersonate-group"]);
  const uid = oneOf(headers["impersonate-uid"]);
  const extra = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(extraPrefix)) continue;
    const key = unescaped(name.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...valuesOf(value)]);
  }
  const asksNothing = user === "" && groups.length === 0 && uid === "" && extra.size === 0;
  return asksNothing ? undefined : { user, groups, uid, extra };
}

/** Nearly nobody asks, and every request passes here. */
function asksForSomebody(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true;
  return false;
}

/** A header that comes once; a comma in it is its own. */
function oneOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" ? header : (header?.[0] ?? "");
}

/** Headers that came several times arrive as one text, joined by commas. */
function valuesOf(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return typeof header === "string" ? header.split(", ") : header;
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key).toLowerCase();
  } catch {
    return key;
  }
}

/** What a caller has to be allowed to do for a wish, in the order in which the real server asks. */
function attributesOf({ user, groups, uid, extra }: Wish): readonly ResourceAttributes[] {
  const impersonate = (group: string, resource: string, name: string): ResourceAttributes => ({
    verb: "impersonate",
    group,
    version: "v1",
    resource,
    subresource: "",
    namespace: "",
    name,
  });
  const account = accountOf(user);
  const extras = [...extra].flatMap(([key, values]) =>
    values.map((value) => ({ ...impersonate("authentication.k8s.io", "userextras", value), subresource: key })),
  );
  return [
    account === undefined
      ? impersonate("", "users", user)
      : { ...impersonate("", "serviceaccounts", account.name), namespace: account.namespace },
    ...groups.map((group) => impersonate("", "groups", group)),
    ...extras,
    ...(uid === "" ? [] : [impersonate("authentication.k8s.io", "uids", uid)]),
  ];
}

function groupsOf({ user, groups }: Wish): readonly string[] {
  const account = accountOf(user);
  const named = groups.length === 0 && account !== undefined ? accountGroups(account.namespace) : groups;
  const added = user === anonymous.name ? unauthenticated : authenticated;
  return named.includes(added) || named.includes(unauthenticated) ? named : [...named, added];
}

/** The references that the real server makes of the headers, printed as Go prints structs. */
function describe({ groups, uid, extra }: Wish): string {
  const group = "authentication.k8s.io/v1";
  const references = [
    ...groups.map((name) => `{Group  ${name}    }`),
    ...[...extra].flatMap(([key, values]) => values.map((value) => `{UserExtra  ${value}  ${group}  ${key}}`)),
    ...(uid === "" ? [] : [`{UID  ${uid}  ${group}  }`]),
  ];
  return `[${references.join(" ")}]`;
}
