import { type Clock, systemClock } from "#base";
import {
  isNotFound,
  keyOf,
  type KubeList,
  type KubeObject,
  type ObjectKey,
  type Patch,
  type Transport,
  type WriteOptions,
} from "#machinery";
import type { Client, ClientApplyOptions } from "./client.ts";
import { MissingFieldOwnerError } from "./errors.ts";
import { follow } from "./follow.ts";
import { isAboutObjects, type KindEvent, type ObjectsEvent } from "./follow-event.ts";
import { listAll, listPages } from "./list-pages.ts";
import { createRestMapper, type RestMapper } from "./rest-mapper.ts";
import { type AnyKind, asKind, isServedKind, type KindPlace, placeOf, scopedKey } from "./served-kind.ts";
import { isStatus } from "./transport/refusal.ts";

/** How a client writes, and what it needs from outside. */
export interface ClientOptions {
  /** In whose name fields are written, unless a call names another. */
  readonly fieldOwner?: string;
  readonly clock?: Clock;
  /** Gives numbers from 0 up to 1, so that many clients do not act as one; without it nothing is left to chance. */
  readonly random?: () => number;
  readonly mapper?: RestMapper;
}

/** Makes a client of a transport: of one over the network, or of a server in the same process. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  const { fieldOwner, clock = systemClock, random = () => 0.5 } = options;
  const mapper = options.mapper ?? createRestMapper(transport, { clock });

  const client: Client = {
    transport,
    mapper,
    async get(kind, key, rest) {
      const place = await placeOf(kind, mapper, rest);
      return asKind(kind, await transport.get(place.resource, scopedKey(key, place), rest));
    },
    async find(kind, key, rest) {
      try {
        return await client.get(kind, key, rest);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async list(kind, rest = {}) {
      const place = await placeOf(kind, mapper, rest);
      return asKinds(kind, await transport.list(place.resource, scoped(rest, place)));
    },
    async listAll(kind, rest = {}) {
      const place = await placeOf(kind, mapper, rest);
      return asKinds(kind, await listAll(transport, place.resource, scoped(rest, place)));
    },
    async *pages(kind, rest = {}) {
      const place = await placeOf(kind, mapper, rest);
      for await (const page of listPages(transport, place.resource, scoped(rest, place))) yield asKinds(kind, page);
    },
    async create(kind, object, rest) {
      const { resource } = await placeOf(kind, mapper, rest);
      return asKind(kind, await transport.create(resource, object, owned(rest)));
    },
    update: (kind, object, rest) => update(kind, object, rest),
    patch: (kind, key, patch, rest) => patchObject(kind, { key, patch }, rest),
    apply: (kind, object, rest) => apply(kind, object, rest),
    async delete(kind, key, rest) {
      const place = await placeOf(kind, mapper, rest);
      const answer = await transport.delete(place.resource, scopedKey(key, place), rest);
      return isStatus(answer) ? answer : asKind(kind, answer);
    },
    async deleteAll(kind, rest = {}) {
      const place = await placeOf(kind, mapper, rest);
      await transport.deleteCollection(place.resource, scoped(rest, place));
    },
    async *watch(kind, rest = {}) {
      const place = await placeOf(kind, mapper, rest);
      const events = follow(transport, place.resource, scoped(rest, place), { clock, random });
      for await (const event of events) {
        if (isAboutObjects(event)) yield eventOfKind(kind, event);
      }
    },
    updateStatus: (kind, object, rest) => update(kind, object, { ...rest, subresource: "status" }),
    patchStatus: (kind, key, patch, rest) => patchObject(kind, { key, patch }, { ...rest, subresource: "status" }),
    applyStatus: (kind, object, rest) => apply(kind, object, { ...rest, subresource: "status" }),
    async scale(kind, key, rest) {
      const place = await placeOf(kind, mapper, rest);
      return await transport.get(place.resource, scopedKey(key, place), { ...rest, subresource: "scale" });
    },
    async setReplicas(kind, key, replicas, rest) {
      const place = await placeOf(kind, mapper, rest);
      const patch = { kind: "merge", patch: { spec: { replicas } } } as const;
      const asScale = owned({ ...rest, subresource: "scale" });
      return await transport.patch(place.resource, scopedKey(key, place), patch, asScale);
    },
    withFieldOwner: (name) => createClient(transport, { ...options, mapper, fieldOwner: name }),
    withTransport: (other) => createClient(other, { ...options, mapper }),
  };
  return client;

  async function update<Obj extends KubeObject>(kind: AnyKind<Obj>, object: Obj, rest?: WriteOptions): Promise<Obj> {
    const place = await placeOf(kind, mapper, rest);
    scopedKey(keyOf(object), place);
    return asKind(kind, await transport.update(place.resource, object, owned(rest)));
  }

  async function patchObject<Obj extends KubeObject>(
    kind: AnyKind<Obj>,
    { key, patch }: { readonly key: ObjectKey; readonly patch: Patch },
    rest?: WriteOptions,
  ): Promise<Obj> {
    const place = await placeOf(kind, mapper, rest);
    return asKind(kind, await transport.patch(place.resource, scopedKey(key, place), patch, owned(rest)));
  }

  async function apply<Obj extends KubeObject>(
    kind: AnyKind<Obj>,
    object: KubeObject,
    rest: ClientApplyOptions & Pick<WriteOptions, "subresource"> = {},
  ): Promise<Obj> {
    const place = await placeOf(kind, mapper, rest);
    scopedKey(keyOf(object), place);
    const fieldManager = rest.fieldManager ?? fieldOwner;
    if (fieldManager === undefined)
      throw new MissingFieldOwnerError(`to apply a ${kind.kind} the client needs a field owner`);
    return asKind(kind, await transport.apply(place.resource, object, { ...rest, fieldManager }));
  }

  function owned(rest: WriteOptions = {}): WriteOptions {
    return fieldOwner === undefined ? rest : { fieldManager: fieldOwner, ...rest };
  }
}

/** What is cluster-wide is in no namespace. */
function scoped<Options extends { readonly namespace?: string }>(options: Options, { namespaced }: KindPlace): Options {
  return namespaced || options.namespace === undefined ? options : { ...options, namespace: "" };
}

function asKinds<Obj extends KubeObject>(kind: AnyKind<Obj>, list: KubeList): KubeList<Obj> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed by its caller who named the kind
  if (!isServedKind(kind)) return list as KubeList<Obj>;
  return { ...list, items: list.items.map((item) => asKind(kind, item)) };
}

function eventOfKind<Obj extends KubeObject>(kind: AnyKind<Obj>, event: ObjectsEvent): KindEvent<Obj> {
  if (event.kind === "listed") return { kind: "listed", objects: event.objects.map((item) => asKind(kind, item)) };
  return { kind: event.kind, object: asKind(kind, event.object) };
}
