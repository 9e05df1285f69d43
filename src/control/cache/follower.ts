import { type Clock, type Duration, type Logger, noTime, seconds } from "#base";
import { follow, type FollowEvent, type FollowOptions, type FollowProblem } from "#client";
import { compareResourceVersions, type GroupVersionResource, type KubeObject, type Transport } from "#machinery";
import type { ReadOptions } from "../reader.ts";
import { type CacheMetrics, watchMetrics } from "./cache-metrics.ts";
import { type HurriedPauses, hurriedPauses } from "./hurried-pauses.ts";
import type { Pulse } from "./pulse.ts";
import type { Replica } from "./replica.ts";

/** What a follower follows, and with what. */
export interface FollowerParts<Obj extends KubeObject> {
  readonly transport: Pick<Transport, "list" | "watch">;
  readonly kind: string;
  readonly resource: GroupVersionResource;
  /** Which objects are asked for. */
  readonly asked: Omit<FollowOptions, "signal" | "onProblem" | "patient">;
  readonly replica: Replica<Obj>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly metrics: CacheMetrics;
  /** Asked when the server says that it has no such collection. */
  readonly isServed: (options: ReadOptions) => Promise<boolean>;
  /** Beats after everything that was taken in. */
  readonly pulse: Pulse;
}

const pauseAfterFailure = seconds(1);

// A server that starts may not know all of its kinds at once, so that one answer is not believed.
const answersToBelieve = 2;
// Enough to believe them; a server also ends watches that do not keep up with it, and has to be asked again each time.
const mostHurriedPauses = 10;

/** Brings what the server tells of a collection, or of one namespace of it, into a replica. */
export class Follower<Obj extends KubeObject> {
  readonly #parts: FollowerParts<Obj>;
  readonly #pauses: HurriedPauses;
  readonly #namespace: string;
  #session = new AbortController();
  #isSynced = false;
  #reached = "";
  #evenWith: string | undefined;
  #listingSince: Duration = noTime;
  #timesListed = 0;
  #timesMissing = 0;

  constructor(parts: FollowerParts<Obj>) {
    this.#parts = parts;
    this.#pauses = hurriedPauses(parts.clock);
    this.#namespace = parts.asked.namespace ?? "";
  }

  get namespace(): string {
    return this.#namespace;
  }

  /** True once everything that was there at the start has been taken in, or the server has nothing of the kind. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** How often everything was told. */
  get timesListed(): number {
    return this.#timesListed;
  }

  /** Everything up to this revision has been taken in. */
  get reached(): string {
    return this.#reached;
  }

  /** True where it is known that the server had at this revision what is here. */
  isEvenWith(revision: string | undefined): boolean {
    return revision !== undefined && (revision === this.#evenWith || revision === this.#reached);
  }

  /** Somebody has looked: the server had at this revision what is here. */
  setEvenWith(revision: string | undefined): void {
    this.#evenWith = revision;
  }

  /** Tries again at once where it would wait before doing so, until it is told to be calm. */
  hurry(): void {
    this.#pauses.hurry(mostHurriedPauses);
  }

  calm(): void {
    this.#pauses.hurry(0);
  }

  /** Asks for everything anew, because what it knows may never have been. */
  beginAnew(): void {
    this.#session.abort();
  }

  /** Runs until the signal ends it, whatever happens. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#session.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    while (!signal.aborted) {
      this.#session = new AbortController();
      try {
        await this.#follow(this.#session.signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#parts.log.error("a cache failed to take in what the server told and begins anew", error);
        await this.#parts.clock.sleep(pauseAfterFailure, { signal }).catch(() => undefined);
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { transport, resource, asked, clock, random, pulse, kind, metrics } = this.#parts;
    const { pause } = this.#pauses;
    const onProblem = (problem: FollowProblem): void => this.#report(problem);
    const onWatch = watchMetrics({ kind, clock, metrics });
    const options = { ...asked, signal, patient: true, onProblem };
    for await (const event of follow(transport, resource, options, { clock, pause, random, onWatch })) {
      // Only what has to be waited for is, because events come by the thousand.
      if (event.kind === "missing") await this.#takeMissing();
      else this.#take(event);
      pulse.beat();
    }
  }

  #take(event: Exclude<FollowEvent, { kind: "missing" }>): void {
    const { replica, clock, metrics, kind } = this.#parts;
    switch (event.kind) {
      case "listing":
        this.#listingSince = clock.elapsed();
        replica.listing();
        return;
      case "listed":
        this.#takeAll(event.objects, event.revision);
        return;
      case "changed":
      case "deleted":
        replica[event.kind](event.object);
        metrics.add("capstan_cache_events_total", kind);
        this.#reach(event.object.metadata.resourceVersion ?? "");
        return;
      case "reached":
        replica.reached(event.revision);
        this.#reach(event.revision);
    }
  }

  #takeAll(objects: readonly KubeObject[], revision: string): void {
    const { replica, clock, metrics, kind } = this.#parts;
    metrics.add("reflector_lists_total", kind);
    metrics.observe("reflector_list_duration_seconds", kind, (clock.elapsed() - this.#listingSince) / 1000);
    metrics.observe("reflector_items_per_list", kind, objects.length);
    const isSetBack = compareResourceVersions(revision, this.#reached) < 0;
    const initial = this.#timesListed === 0;
    replica.listed({ objects, revision, namespace: this.#namespace, initial, isSetBack });
    this.#timesListed += 1;
    this.#timesMissing = 0;
    this.#isSynced = true;
    this.#reach(revision);
  }

  /** Only where discovery says the same: what is held must not be lost by a mistake of a server that is starting. */
  async #takeMissing(): Promise<void> {
    this.#timesMissing += 1;
    if (this.#timesMissing < answersToBelieve || (await this.#isServed())) return;
    this.#parts.replica.clear(this.#namespace);
    this.#isSynced = true;
  }

  async #isServed(): Promise<boolean> {
    try {
      return await this.#parts.isServed({ signal: this.#session.signal });
    } catch (error) {
      this.#parts.log.debug("cannot tell whether a kind is served", { error });
      return true;
    }
  }

  #reach(revision: string): void {
    if (revision === "") return;
    this.#reached = revision;
    this.#parts.metrics.set("reflector_last_resource_version", this.#parts.kind, Number(revision));
  }

  #report({ error, retryAfter }: FollowProblem): void {
    const { log, metrics, kind } = this.#parts;
    metrics.add("capstan_cache_problems_total", kind);
    log.warn("following a kind failed and is tried again", { namespace: this.#namespace, error, retryAfter });
  }
}
