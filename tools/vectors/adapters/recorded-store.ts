import { CapstanError, ContextError, describeError } from "#base";
import type { Client } from "#client";
import {
  alreadyExists,
  describeKind,
  type GroupKind,
  isNotFound,
  keyOf,
  kindOf,
  type KubeObject,
  namespacedName,
  notFound,
  type ObjectKey,
} from "#machinery";

/** An object as the vectors record it: they leave out what is empty. */
export type RecordedObject = Partial<KubeObject>;

type StoreClient = Pick<Client, "get" | "create" | "delete">;

/** A client over the objects that a case has in store. Every call that is listed fails with the recorded text. */
export function recordedStore(
  objects: readonly RecordedObject[] = [],
  failing: { readonly text?: string; readonly calls: readonly (keyof StoreClient)[] } = { calls: [] },
): StoreClient {
  const stored = new Map(objects.map((object) => wholeObject(object)).map((object) => [placeOf(object), object]));

  return {
    get: async <Obj extends KubeObject>(kind: Parameters<Client["get"]>[0], key: ObjectKey) => {
      failIfRecorded("get");
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller has named the kind
      return find(kind, key) as Obj;
    },
    create: async <Obj extends KubeObject>(kind: Parameters<Client["create"]>[0], object: Obj) => {
      failIfRecorded("create");
      if (stored.has(placeOf(object))) throw alreadyExists(resourceOf(kind), object.metadata.name ?? "");
      stored.set(placeOf(object), object);
      return object;
    },
    delete: async (kind, key) => {
      failIfRecorded("delete");
      const object = find(kind, key);
      stored.delete(placeOf(object));
      return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
    },
  };

  function find(kind: Parameters<Client["get"]>[0], key: ObjectKey): KubeObject {
    const object = stored.get(`${describeKind(kind)} ${namespacedName(key)}`);
    if (object === undefined) throw notFound(resourceOf(kind), key.name);
    return object;
  }

  function failIfRecorded(call: keyof StoreClient): void {
    const { text = "", calls } = failing;
    if (text !== "" && calls.includes(call)) throw new ContextError(text);
  }
}

/** The object with what the vectors leave out. */
export function wholeObject(object: RecordedObject = {}): KubeObject {
  return { apiVersion: "", kind: "", metadata: {}, ...object };
}

/** What a call answers, or what it fails with, in the recorded shape. */
export async function answerOf(call: () => unknown, whenFailed: object = {}): Promise<object> {
  try {
    const answer = await call();
    return { error: null, ...(typeof answer === "object" ? answer : {}) };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { ...whenFailed, error: describeError(error) };
  }
}

/** The same, and whether the error says that something was not found. */
export async function findingOf(call: () => unknown, whenFailed: object = {}): Promise<object> {
  let missing = false;
  const answer = await answerOf(async () => {
    try {
      return await call();
    } catch (error) {
      missing = isNotFound(error);
      throw error;
    }
  }, whenFailed);
  return { ...answer, isNotFound: missing };
}

function placeOf(object: KubeObject): string {
  return `${describeKind(kindOf(object))} ${namespacedName(keyOf(object))}`;
}

/** The recorded texts name resources by a plural that knows no grammar. */
function resourceOf({ group, kind }: GroupKind): { readonly group: string; readonly resource: string } {
  return { group, resource: `${kind.toLowerCase()}s` };
}
