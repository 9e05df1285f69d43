import type { Caller } from "#apiserver/admission";
import { fieldAt, type KubeObject } from "#machinery";

/** Whom a binding is for, by one text: `User/joe`, `Group/devs`. A service account is the user that it acts as. */
export type SubjectKey = string;

/** Whom a binding names. */
export interface BoundSubject {
  readonly key: SubjectKey;
  /** As reasons tell it: `ServiceAccount "name/namespace"`. */
  readonly described: string;
}

const accountPrefix = "system:serviceaccount:";

export function userKey(name: string): SubjectKey {
  return `User/${name}`;
}

export function groupKey(name: string): SubjectKey {
  return `Group/${name}`;
}

/** The user name that a service account acts under. */
export function accountUser(namespace: string, name: string): string {
  return `${accountPrefix}${namespace}:${name}`;
}

/** The service account that a user name stands for; undefined for any other user. */
export function accountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(accountPrefix)) return undefined;
  const [namespace = "", name = "", ...more] = user.slice(accountPrefix.length).split(":");
  return namespace === "" || name === "" || more.length > 0 ? undefined : { namespace, name };
}

/** The groups that every service account of a namespace is in. */
export function accountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** Everything under which a caller may be named in a binding. */
export function keysOf({ name, groups }: Caller): readonly SubjectKey[] {
  return [userKey(name), ...groups.map(groupKey)];
}

/** Whom a binding names; a service account of a RoleBinding is at home where the binding is, unless told otherwise. */
export function subjectsOf(binding: KubeObject): readonly BoundSubject[] {
  const subjects = fieldAt(binding, "subjects");
  if (!Array.isArray(subjects)) return [];
  const home = binding.metadata.namespace ?? "";
  return subjects.flatMap((subject: unknown) => {
    const [kind, name] = [textOf(subject, "kind"), textOf(subject, "name")];
    switch (kind) {
      case "User":
        return [{ key: userKey(name), described: `User ${JSON.stringify(name)}` }];
      case "Group":
        return [{ key: groupKey(name), described: `Group ${JSON.stringify(name)}` }];
      case "ServiceAccount": {
        const given = textOf(subject, "namespace");
        const namespace = given === "" ? home : given;
        if (namespace === "") return [];
        const key = userKey(accountUser(namespace, name));
        return [{ key, described: `ServiceAccount ${JSON.stringify(`${name}/${namespace}`)}` }];
      }
      default:
        return [];
    }
  });
}

function textOf(value: unknown, field: string): string {
  const text = fieldAt(value, field);
  return typeof text === "string" ? text : "";
}
