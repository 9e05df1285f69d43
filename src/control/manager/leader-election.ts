import { type Clock, describeError, type Duration, formatDuration, type Logger, milliseconds, seconds } from "#base";
import type { Client } from "#client";
import { describeKey, isAlreadyExists, isConflict } from "#machinery";
import { LeadershipLostError } from "../errors.ts";
import { type Claim, type Lease, LeaseLock } from "./lease.ts";

/** Who wants to lead, and how fast leaders change. */
export interface LeaderElectionOptions {
  /** The name of the Lease. */
  readonly name: string;
  readonly namespace: string;
  /** Equal for no two processes. */
  readonly identity: string;
  /** How long others wait for a leader who says nothing; 15 s unless told otherwise. */
  readonly leaseDuration?: Duration;
  /** How long a leader who cannot say anything goes on; 10 s unless told otherwise. */
  readonly renewDeadline?: Duration;
  /** How long everybody waits between two tries; 2 s unless told otherwise. */
  readonly retryPeriod?: Duration;
}

/** What an election needs from outside. */
export interface ElectionTools {
  readonly client: Pick<Client, "get" | "create" | "update">;
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

/** The right to act, as long as it lasts. */
export interface Leadership {
  /** The Lease, as it was taken. */
  readonly lease: Lease;
  /** Aborted when the right is lost. */
  readonly lost: AbortSignal;
  /** Throws where the right is not sure any more, even if nobody has noticed yet. */
  check(): void;
  /** Hands the right over, after everything has stopped. */
  release(): Promise<void>;
}

// So that not all who wait try at the same time.
const jitter = 1.2;
const briefest = milliseconds(50);

/** Waits until this process leads; the signal ends the wait. */
export async function acquireLeadership(
  options: LeaderElectionOptions,
  tools: ElectionTools,
  { signal }: { readonly signal: AbortSignal },
): Promise<Leadership> {
  const { clock, random, log } = tools;
  const { retryPeriod = seconds(2) } = options;
  const candidate = new Candidate(options, tools);
  log.info("waiting to lead", { lease: candidate.describe(), identity: options.identity });
  for (;;) {
    signal.throwIfAborted();
    const taken = await candidate.try(signal);
    if (taken !== undefined) {
      log.info("leading", { lease: candidate.describe(), identity: options.identity });
      return keep(candidate, taken, options, tools);
    }
    const pause = Math.min(retryPeriod * (1 + jitter * random()), candidate.untilFree);
    await clock.sleep(milliseconds(pause), { signal });
  }
}

/** Renews until it is released or lost. */
function keep(
  candidate: Candidate,
  taken: Taken,
  options: LeaderElectionOptions,
  { clock, log }: ElectionTools,
): Leadership {
  const { renewDeadline = seconds(10), retryPeriod = seconds(2) } = options;
  const lost = new AbortController();
  const stop = new AbortController();
  let renewed = taken.at;
  const lose = (): void => {
    stop.abort("lost");
    const what = `${candidate.describe()} could not be renewed for ${formatDuration(renewDeadline)}`;
    lost.abort(new LeadershipLostError(what));
  };
  const left = (): Duration => milliseconds(renewDeadline - timeSince(renewed, clock));
  const isOver = (): boolean => left() <= 0;
  const renewing = renew();

  return {
    lease: taken.lease,
    lost: lost.signal,
    check() {
      lost.signal.throwIfAborted();
      // A process that was held up may get here before its own timers.
      if (isOver()) {
        lose();
        lost.signal.throwIfAborted();
      }
    },
    async release() {
      stop.abort("released");
      await renewing;
      if (!lost.signal.aborted) await candidate.release();
      lost.abort(new LeadershipLostError(`${candidate.describe()} was handed over`));
    },
  };

  async function renew(): Promise<void> {
    while (await slept(retryPeriod)) {
      // Whoever was away for too long does not come back: others may have led meanwhile.
      const again = isOver() ? undefined : await candidate.try(stop.signal, left());
      if (stop.signal.aborted) return;
      if (again !== undefined && !isOver()) renewed = again.at;
      if (isOver() || candidate.isTaken) {
        log.error("not leading any more", new LeadershipLostError(candidate.describe()));
        lose();
      }
    }
  }

  async function slept(duration: Duration): Promise<boolean> {
    try {
      await clock.sleep(duration, { signal: stop.signal });
      return true;
    } catch (reason) {
      if (!stop.signal.aborted) throw reason;
      return false;
    }
  }
}

/** A lease that is ours since some time. */
interface Taken {
  readonly lease: Lease;
  /** Before the question was sent, so that nobody else counts from an earlier time. */
  readonly at: Moment;
}

/** A point in time, on both clocks that a machine has. */
interface Moment {
  readonly elapsed: Duration;
  readonly instant: number;
}

function momentOf(clock: Clock): Moment {
  return { elapsed: clock.elapsed(), instant: clock.instant() };
}

/**
 * How much time has passed for others. The one clock stands still while the machine sleeps, the other can be set back:
 * a leader believes the one that says more.
 */
function timeSince({ elapsed, instant }: Moment, clock: Clock): number {
  return Math.max(clock.elapsed() - elapsed, clock.instant() - instant);
}

/** One who tries for a lease and remembers what he saw of it. */
class Candidate {
  readonly #options: LeaderElectionOptions;
  readonly #tools: ElectionTools;
  readonly #lock: LeaseLock;
  /** The lease as it was last seen, and since when it has looked like that. */
  #seen: { readonly lease: Lease; readonly since: Duration } | undefined;

  constructor(options: LeaderElectionOptions, tools: ElectionTools) {
    const { namespace, name } = options;
    this.#options = options;
    this.#tools = tools;
    this.#lock = new LeaseLock(tools.client, { namespace, name });
  }

  describe(): string {
    return `Lease ${describeKey(this.#lock.key)}`;
  }

  /** True where somebody else holds the lease. */
  get isTaken(): boolean {
    const holder = this.#seen?.lease.spec?.holderIdentity ?? "";
    return holder !== "" && holder !== this.#options.identity;
  }

  /** How long it is until the lease of another ends, should he say nothing more; at least a moment. */
  get untilFree(): number {
    if (!this.isTaken || this.#seen === undefined) return Infinity;
    const { lease, since } = this.#seen;
    const end = since + seconds(lease.spec?.leaseDurationSeconds ?? 0);
    return Math.max(briefest, end - this.#tools.clock.elapsed());
  }

  /** Takes or renews the lease, if that is possible now. */
  async try(signal: AbortSignal, within?: Duration): Promise<Taken | undefined> {
    const { renewDeadline = seconds(10) } = this.#options;
    const { clock, log } = this.#tools;
    const timeout = milliseconds(Math.min(renewDeadline / 2, within ?? renewDeadline));
    try {
      return await limited(clock, timeout, signal, (limit) => this.#attempt(limit));
    } catch (error) {
      if (!signal.aborted && !isConflict(error) && !isAlreadyExists(error))
        log.warn("a lease could not be taken", { lease: this.describe(), error: describeError(error) });
      // Somebody has written it, so that what was seen is old.
      return undefined;
    }
  }

  async release(): Promise<void> {
    const { clock, log } = this.#tools;
    try {
      const never = new AbortController().signal;
      await limited(clock, seconds(5), never, async (limit) => {
        while (!(await this.#isReleased(limit)));
      });
    } catch (error) {
      // Then the others wait until it ends by itself.
      log.warn("a lease could not be handed over", { lease: this.describe(), error: describeError(error) });
    }
  }

  /** A renewal that was cut off may have been carried out, or be about to be: what was seen says nothing of it. */
  async #isReleased(signal: AbortSignal): Promise<boolean> {
    const lease = await this.#lock.find(signal);
    if (lease?.spec?.holderIdentity !== this.#options.identity) return true;
    try {
      await this.#lock.release(lease, this.#tools.clock.instant(), signal);
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }

  async #attempt(signal: AbortSignal): Promise<Taken | undefined> {
    const { identity } = this.#options;
    const { clock } = this.#tools;
    const lease = await this.#lock.find(signal);
    if (lease !== undefined) this.#see(lease);
    if (this.#mustWait()) return undefined;
    const at = momentOf(clock);
    const taken =
      lease === undefined
        ? await this.#lock.create(this.#claim(), signal)
        : await this.#lock.claim(lease, this.#claim(), signal);
    this.#see(taken);
    return taken.spec?.holderIdentity === identity ? { lease: taken, at } : undefined;
  }

  /** Whether another holds the lease and may still be alive. Clocks differ, so that time counts from when it was seen. */
  #mustWait(): boolean {
    if (!this.isTaken || this.#seen === undefined) return false;
    const { lease, since } = this.#seen;
    return this.#tools.clock.elapsed() < since + seconds(lease.spec?.leaseDurationSeconds ?? 0);
  }

  #see(lease: Lease): void {
    const isSame = lease.metadata.resourceVersion === this.#seen?.lease.metadata.resourceVersion;
    if (!isSame) this.#seen = { lease, since: this.#tools.clock.elapsed() };
  }

  #claim(): Claim {
    const { identity, leaseDuration = seconds(15) } = this.#options;
    return { identity, durationSeconds: Math.ceil(leaseDuration / 1000), now: this.#tools.clock.instant() };
  }
}

/** Runs something that has to end in time. */
async function limited<T>(
  clock: Clock,
  timeout: Duration,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new AbortController();
  const signal = AbortSignal.any([outer, timer.signal]);
  const ended = new AbortController();
  clock.sleep(timeout, { signal: ended.signal }).then(
    () => timer.abort(new Error(`no answer within ${formatDuration(timeout)}`)),
    () => undefined,
  );
  try {
    return await run(signal);
  } finally {
    ended.abort("ended");
  }
}
