import { type AnyKind, isServedKind } from "#client";
import { apiVersionOf, deepFreeze, type KubeObject, notFound, type ObjectKey } from "#machinery";
import { HeldObjects } from "./cache/held-objects.ts";
import type { Reader, ReadListOptions } from "./reader.ts";

/** Reads from a dump: objects of any kinds, such as those of a file. Of two with one name the later one counts. */
export function dumpReader(objects: Iterable<KubeObject>): Reader {
  const frozen = new WeakSet<KubeObject>();
  // What nobody reads needs no protection, and of a large dump that is nearly all.
  const freeze = <Obj extends KubeObject>(object: Obj): Obj => {
    if (frozen.has(object)) return object;
    frozen.add(object);
    return deepFreeze(object);
  };
  const byKind = new Map<string, HeldObjects<KubeObject>>();
  for (const object of objects) {
    const name = `${object.apiVersion} ${object.kind}`;
    const held = byKind.get(name) ?? new HeldObjects<KubeObject>(rethrow);
    byKind.set(name, held);
    held.put(object);
  }

  return {
    async get(kind, key) {
      const found = find(kind, key);
      if (found === undefined) throw notFound(resourceOf(kind), key.name);
      return await Promise.resolve(found);
    },
    find: (kind, key) => Promise.resolve(find(kind, key)),
    list: (kind, options) => Promise.resolve(list(kind, options)),
  };

  function find<Obj extends KubeObject>(kind: AnyKind<Obj>, key: ObjectKey): Obj | undefined {
    const found = heldOf(kind)?.find(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- objects are kept by kind, and typed by whoever names it
    return found === undefined ? undefined : (freeze(found) as Obj);
  }

  function list<Obj extends KubeObject>(kind: AnyKind<Obj>, options: ReadListOptions = {}): readonly Obj[] {
    const { signal: _, ...asked } = options;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- objects are kept by kind, and typed by whoever names it
    const found = (heldOf(kind)?.list(asked) ?? []) as readonly Obj[];
    return found.map(freeze);
  }

  function heldOf(kind: AnyKind): HeldObjects<KubeObject> | undefined {
    return byKind.get(`${apiVersionOf(kind)} ${kind.kind}`);
  }
}

/** A dump does not tell the resource of a kind that is known by its names alone. */
function resourceOf(kind: AnyKind): { readonly group: string; readonly resource: string } {
  return isServedKind(kind) ? kind.resource : { group: kind.group, resource: kind.kind };
}

function rethrow(error: unknown): never {
  throw error;
}
