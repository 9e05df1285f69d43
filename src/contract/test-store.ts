import {
  alreadyExists,
  describeKind,
  type GroupKind,
  keyOf,
  kindOf,
  type KubeObject,
  namespacedName,
  notFound,
  type ObjectKey,
  type Status,
} from "#machinery";
import type { AnyKind, Client } from "#client";

/** Objects in memory behind a client's most basic calls, for tests. */
export interface TestStore extends Pick<Client, "get" | "create" | "delete"> {
  /** The calls so far, such as `get Foo ns/name`. */
  readonly calls: readonly string[];
  readonly objects: readonly KubeObject[];
}

/** A store with these objects; a call that `fails` names throws that error. */
export function testStore(
  objects: readonly KubeObject[] = [],
  fails: { readonly [call in "get" | "create" | "delete"]?: Error } = {},
): TestStore {
  const stored = new Map(objects.map((object) => [placeOf(object), object]));
  const calls: string[] = [];
  return {
    calls,
    get objects() {
      return [...stored.values()];
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller has named the kind
    get: async <Obj extends KubeObject>(kind: AnyKind<Obj>, key: ObjectKey) => find("get", kind, key) as Obj,
    create: async <Obj extends KubeObject>(kind: AnyKind<Obj>, object: Obj) => {
      record("create", kind, keyOf(object));
      if (stored.has(placeOf(object))) throw alreadyExists(resourceOf(kind), object.metadata.name ?? "");
      stored.set(placeOf(object), object);
      return object;
    },
    delete: async (kind: AnyKind, key: ObjectKey): Promise<Status> => {
      stored.delete(placeOf(find("delete", kind, key)));
      return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
    },
  };

  function find(call: "get" | "delete", kind: AnyKind, key: ObjectKey): KubeObject {
    record(call, kind, key);
    const object = stored.get(`${describeKind(kind)} ${namespacedName(key)}`);
    if (object === undefined) throw notFound(resourceOf(kind), key.name);
    return object;
  }

  function record(call: "get" | "create" | "delete", kind: AnyKind, key: ObjectKey): void {
    calls.push(`${call} ${kind.kind} ${namespacedName(key)}`);
    const failure = fails[call];
    if (failure !== undefined) throw failure;
  }
}

/** The definition of a kind with labels. */
export function aDefinition(name: string, labels: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name, labels } };
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function placeOf(object: KubeObject): string {
  return `${describeKind(kindOf(object))} ${namespacedName(keyOf(object))}`;
}

function resourceOf({ group, kind }: GroupKind): { readonly group: string; readonly resource: string } {
  return { group, resource: `${kind.toLowerCase()}s` };
}
