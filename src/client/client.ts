import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  KubeList,
  KubeObject,
  ListOptions,
  ObjectKey,
  Patch,
  Status,
  Transport,
  WriteOptions,
} from "#machinery";
import type { FollowOptions } from "./follow.ts";
import type { KindEvent } from "./follow-event.ts";
import type { PageOptions } from "./list-pages.ts";
import type { RestMapper } from "./rest-mapper.ts";
import type { AnyKind } from "./served-kind.ts";

/** How to read one object. */
export type ClientGetOptions = Omit<GetOptions, "subresource">;

/** How to write; without a field manager it is the client's field owner who writes. */
export type ClientWriteOptions = Omit<WriteOptions, "subresource">;

/** How to apply; without a field manager it is the client's field owner who applies. */
export type ClientApplyOptions = ClientWriteOptions & Pick<ApplyOptions, "force">;

/**
 * Reads and writes objects by their kind: typed by a declared kind, untyped by group, version and kind alone, whose
 * resource is then looked up on the server.
 */
export interface Client {
  readonly transport: Transport;
  readonly mapper: RestMapper;
  /** The object; throws an ApiError `NotFound` where there is none. */
  get<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    key: ObjectKey,
    options?: ClientGetOptions,
  ): Promise<Obj>;
  /** The object, or undefined where there is none. */
  find<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    key: ObjectKey,
    options?: ClientGetOptions,
  ): Promise<Obj | undefined>;
  /** One page of objects: all of them, unless there is a `limit`. */
  list<Obj extends KubeObject = KubeObject>(kind: AnyKind<Obj>, options?: ListOptions): Promise<KubeList<Obj>>;
  /** All objects, fetched in pages. */
  listAll<Obj extends KubeObject = KubeObject>(kind: AnyKind<Obj>, options?: PageOptions): Promise<KubeList<Obj>>;
  /** All objects page by page, of 500 unless there is a `limit`. */
  pages<Obj extends KubeObject = KubeObject>(kind: AnyKind<Obj>, options?: PageOptions): AsyncIterable<KubeList<Obj>>;
  create<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    object: NoInfer<Obj>,
    options?: ClientWriteOptions,
  ): Promise<Obj>;
  update<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    object: NoInfer<Obj>,
    options?: ClientWriteOptions,
  ): Promise<Obj>;
  patch<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    key: ObjectKey,
    patch: Patch,
    options?: ClientWriteOptions,
  ): Promise<Obj>;
  /** Server-side apply: what the object says, and nothing else, is then owned by the field owner. */
  apply<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    object: KubeObject,
    options?: ClientApplyOptions,
  ): Promise<Obj>;
  /** The object while something holds it back, a Status once it is gone. */
  delete<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Obj | Status>;
  deleteAll<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    options?: DeleteOptions & ListOptions,
  ): Promise<void>;
  /** What is there and every change from then on; resumes by itself whatever happens, until its signal ends it. */
  watch<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    options?: FollowOptions,
  ): AsyncIterable<KindEvent<Obj>>;
  updateStatus<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    object: NoInfer<Obj>,
    options?: ClientWriteOptions,
  ): Promise<Obj>;
  patchStatus<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    key: ObjectKey,
    patch: Patch,
    options?: ClientWriteOptions,
  ): Promise<Obj>;
  applyStatus<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    object: KubeObject,
    options?: ClientApplyOptions,
  ): Promise<Obj>;
  /** The Scale of an object. */
  scale(kind: AnyKind, key: ObjectKey, options?: CallOptions): Promise<KubeObject>;
  /** Sets how many replicas an object is to have, and answers its Scale. */
  setReplicas(kind: AnyKind, key: ObjectKey, replicas: number, options?: ClientWriteOptions): Promise<KubeObject>;
  /** The same client, writing in another name. */
  withFieldOwner(fieldOwner: string): Client;
  /** The same client over another transport to the same server, such as one that looks at what passes. */
  withTransport(transport: Transport): Client;
}
