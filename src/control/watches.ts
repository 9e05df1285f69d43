import { type Duration, noTime } from "#base";
import type { AnyKind } from "#client";
import { controllerOf, describeGroupKind, type GroupKind, type KubeObject, kindOf, type ObjectKey } from "#machinery";
import type { Predicate } from "./predicates.ts";
import type { Reader } from "./reader.ts";

/** Which objects to look at because another one has changed. */
export type KeysOf<Obj extends KubeObject> = (
  object: Obj,
  context: { readonly reader: Reader; readonly signal: AbortSignal },
) => readonly ObjectKey[] | Promise<readonly ObjectKey[]>;

/** What wakes a reconciler besides its own objects. */
export type Watch = KindWatch | ChannelWatch;

/** Objects of another kind. */
export interface KindWatch {
  readonly kind: "kind";
  readonly of: AnyKind;
  readonly keysOf: (reconciled: GroupKind) => KeysOf<KubeObject>;
  readonly predicate: Predicate;
  /** True where changes of metadata alone are kept in memory and told. */
  readonly metadataOnly: boolean;
  /** How long others may join a change before it is looked at, while there is anything else to do. */
  readonly gathering: Duration;
  /** Changes that wait for nobody. */
  readonly urgent: Predicate;
}

/** Anything else that knows when an object has to be looked at, such as a connection that came or went. */
export interface ChannelWatch {
  readonly kind: "channel";
  readonly source: KeySource;
}

/** Hands out keys until its signal ends it. */
export interface KeySource {
  readonly name: string;
  subscribe(listener: (key: ObjectKey) => void, options: { readonly signal: AbortSignal }): void;
}

/** Which changes of a related kind count. */
export interface WatchOptions<Obj extends KubeObject = KubeObject> {
  readonly predicate?: Predicate<Obj>;
  readonly metadataOnly?: boolean;
  /**
   * How long a change waits for others at most, where they come in crowds and one look sees them all; when there is
   * nothing else to do it waits no longer. Not at all unless told.
   */
  readonly gathering?: Duration;
  /** Changes that do not wait for others all the same; none unless told. */
  readonly urgent?: Predicate<Obj>;
}

/** Watches one more kind while the reconciler runs; resolves once everything that is there has been told. */
export type WatchFor = <Obj extends KubeObject = KubeObject>(
  kind: AnyKind<Obj>,
  keysOf: KeysOf<NoInfer<Obj>>,
  options?: WatchOptions<NoInfer<Obj>>,
) => Promise<void>;

/** Objects of another kind, and which of the reconciled ones each of them concerns. */
export function related<Obj extends KubeObject = KubeObject>(
  kind: AnyKind<Obj>,
  keysOf: KeysOf<NoInfer<Obj>>,
  {
    predicate = () => true,
    metadataOnly = false,
    gathering = noTime,
    urgent = () => false,
  }: WatchOptions<NoInfer<Obj>> = {},
): KindWatch {
  return {
    kind: "kind",
    of: kind,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only objects of this kind are ever handed over
    keysOf: () => keysOf as KeysOf<KubeObject>,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only objects of this kind are ever handed over
    predicate: predicate as Predicate,
    metadataOnly,
    gathering,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only objects of this kind are ever handed over
    urgent: urgent as Predicate,
  };
}

/** Objects whose controller is one of the reconciled ones. */
export function owned<Obj extends KubeObject = KubeObject>(
  kind: AnyKind<Obj>,
  options: WatchOptions<NoInfer<Obj>> = {},
): KindWatch {
  return { ...related(kind, () => [], options), keysOf: (reconciled) => (object) => controllersOf(object, reconciled) };
}

/** Any other source of keys. */
export function channel(source: KeySource): ChannelWatch {
  return { kind: "channel", source };
}

function controllersOf(object: KubeObject, reconciled: GroupKind): readonly ObjectKey[] {
  const controller = controllerOf(object);
  if (controller === undefined || describeGroupKind(kindOf(controller)) !== describeGroupKind(reconciled)) return [];
  const { namespace } = object.metadata;
  return [{ ...(namespace === undefined ? {} : { namespace }), name: controller.name }];
}
