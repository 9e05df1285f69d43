import type { Clock, Logger } from "#base";
import { deepClone, fieldAt, isJsonObject, type KubeObject } from "#machinery";
import type { Reader } from "../reader.ts";
import type { WatchFor } from "../watches.ts";
import type { MetadataDraft, SpecDraft, StatusDraft } from "./draft.ts";
import type { EventSink, Pass, PassClient } from "./pass.ts";

/** What a pass is handed from outside. */
export interface PassContext<Ports> {
  readonly ports: Ports;
  readonly reader: Reader;
  readonly client: PassClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly eventsAbout: (object: KubeObject) => EventSink;
  readonly watch: WatchFor;
  readonly reconcileId: string;
  readonly signal: AbortSignal;
}

/** The parts of an object that were drafted, as they are to be. */
export interface Drafts {
  readonly metadata: object | undefined;
  readonly spec: object | undefined;
  readonly status: object | undefined;
}

/** A pass under way. A part of the object is copied when a step first asks for it, because most passes change nothing. */
export class ActivePass<Obj extends KubeObject, Facts extends object, Ports> implements Pass<Obj, Facts, Ports> {
  readonly reader: Reader;
  readonly ports: Ports;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly watch: WatchFor;
  readonly reconcileId: string;
  readonly #context: PassContext<Ports>;
  #object: Obj;
  #isRenewed = false;
  #facts: Facts;
  #observed: object[] | undefined;
  #learned: Set<string> | undefined;
  #log: Logger | undefined;
  #events: EventSink | undefined;
  #hasToldEvents = false;
  #metadata: MetadataDraft | undefined;
  #spec: SpecDraft<Obj> | undefined;
  #status: StatusDraft<Obj> | undefined;

  constructor(object: Obj, facts: Facts, context: PassContext<Ports>) {
    this.#object = object;
    this.#facts = facts;
    this.#context = context;
    this.reader = context.reader;
    this.ports = context.ports;
    this.clock = context.clock;
    this.signal = context.signal;
    this.watch = context.watch;
    this.reconcileId = context.reconcileId;
  }

  get object(): Obj {
    return this.#object;
  }

  readonly renew = (object: Obj): void => {
    this.#isRenewed ||= object !== this.#object;
    this.#object = object;
  };

  /** True where a step has written the object itself. */
  get isRenewed(): boolean {
    return this.#isRenewed;
  }

  get facts(): Facts {
    return this.#facts;
  }

  readonly learn = (facts: Readonly<Partial<Facts>>): void => {
    this.#learned ??= new Set();
    for (const name of Object.keys(facts)) this.#learned.add(name);
    this.#facts = { ...this.#facts, ...facts };
  };

  /** Takes over what an observer has seen. */
  observed(facts: Readonly<Partial<Facts>>): void {
    (this.#observed ??= []).push(facts);
    this.#facts = { ...this.#facts, ...facts };
  }

  /** Facts that acting found out although no step says so, and that no observer has seen either. */
  undeclared(steps: readonly { readonly learns: readonly string[] }[]): readonly string[] {
    if (this.#learned === undefined) return [];
    const seen = (this.#observed ?? []).flatMap((facts) => Object.keys(facts));
    const declared = new Set([...steps.flatMap(({ learns }) => learns), ...seen]);
    return [...this.#learned].filter((name) => !declared.has(name));
  }

  get client(): PassClient {
    return this.#context.client;
  }

  get log(): Logger {
    return (this.#log ??= this.#context.log.child({ reconcileID: this.reconcileId }));
  }

  get events(): EventSink {
    const sink = (this.#events ??= this.#context.eventsAbout(this.object));
    return {
      record: (...event) => {
        this.#hasToldEvents = true;
        sink.record(...event);
      },
    };
  }

  /** True where a step has told an Event. */
  get hasToldEvents(): boolean {
    return this.#hasToldEvents;
  }

  get metadata(): MetadataDraft {
    return (this.#metadata ??= metadataOf(this.object));
  }

  get spec(): SpecDraft<Obj> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy of a part has its type; an absent one is empty
    return (this.#spec ??= deepClone(fieldAt(this.object, "spec") ?? {}) as SpecDraft<Obj>);
  }

  get status(): StatusDraft<Obj> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy of a part has its type; an absent one is empty
    return (this.#status ??= deepClone(statusWithoutConditions(this.object)) as StatusDraft<Obj>);
  }

  get drafts(): Drafts {
    return { metadata: this.#metadata, spec: this.#spec, status: this.#status };
  }
}

/** The part of the metadata that a pass may change, as a copy. */
export function metadataOf({ metadata }: KubeObject): MetadataDraft {
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  return deepClone({
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
    ...(finalizers === undefined ? {} : { finalizers }),
  });
}

/** The status of an object as far as steps write it. */
export function statusWithoutConditions(object: KubeObject): object {
  const status = fieldAt(object, "status");
  if (!isJsonObject(status)) return {};
  const { conditions: _, ...rest } = status;
  return rest;
}
