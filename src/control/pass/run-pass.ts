import { awaitChange, type Duration, milliseconds, mostUrgent, noTime, requeueAfter, toError } from "#base";
import {
  type Condition,
  conditionOf,
  findCondition,
  type ReasonSpelling,
  type Report,
  setCondition,
  spelled,
} from "#conditions";
import { deepEqual, fieldAt, isNotFound, type KubeObject, type ObjectKey } from "#machinery";
import type { Reconciler } from "../reconciler.ts";
import { ActivePass, type Drafts, type PassContext } from "./active-pass.ts";
import type { MetadataDraft } from "./draft.ts";
import { stepsFor } from "./facts-of.ts";
import type { Judgement, Seen } from "./judgement.ts";
import { errorsOf, nextAfter } from "./next-after.ts";
import type { PassOutcome, PassRecord, TableVerdict } from "./pass-record.ts";
import { isPaused, type PausedState, pausedType } from "./paused.ts";
import { isExplanation } from "./explanation.ts";
import { runSteps } from "./run-steps.ts";
import { applyConditions } from "./apply-conditions.ts";
import { writeObject } from "./write-object.ts";
import { type StatusChanges, storedConditions, writeStatus } from "./write-status.ts";

/** What a pass needs besides its object. */
export interface PassTools<Ports> extends PassContext<Ports> {
  readonly spelling: ReasonSpelling;
  /** For how long a status that only explains may still be put off; not at all unless told. */
  readonly patience?: Duration;
}

/**
 * One pass over one object: steps act, facts record, tables judge, the pass writes. Whatever goes wrong stands in the
 * record and in what comes next; it throws only where its signal ends it.
 */
export async function runPass<Obj extends KubeObject, Facts extends object, Ports>(
  reconciler: Reconciler<Obj, Facts, Ports>,
  key: ObjectKey,
  tools: PassTools<Ports>,
): Promise<PassRecord> {
  return await new PassRun(reconciler, key, tools).run();
}

/** What conditions are compared by. */
interface Standing {
  readonly conditions: readonly Condition[];
  readonly spelling: ReasonSpelling;
  readonly generation: number;
}

/** The parts of a record that differ from pass to pass. */
type Ending = Pick<PassRecord, "outcome" | "next"> & Partial<Pick<PassRecord, "facts" | "undeclared">>;

class PassRun<Obj extends KubeObject, Facts extends object, Ports> {
  readonly #reconciler: Reconciler<Obj, Facts, Ports>;
  readonly #key: ObjectKey;
  readonly #tools: PassTools<Ports>;
  readonly #begun: Duration;
  readonly #errors: Error[] = [];
  readonly #verdicts: TableVerdict[] = [];
  readonly #wrote: ("status" | "object")[] = [];
  #hasPutOff = false;
  #leftToOthers = false;

  constructor(reconciler: Reconciler<Obj, Facts, Ports>, key: ObjectKey, tools: PassTools<Ports>) {
    this.#reconciler = reconciler;
    this.#key = key;
    this.#tools = tools;
    this.#begun = tools.clock.elapsed();
  }

  async run(): Promise<PassRecord> {
    try {
      return this.#record(await this.#reconcile());
    } catch (error) {
      this.#tools.signal.throwIfAborted();
      this.#errors.push(toError(error));
      return this.#record({ outcome: "failed", next: awaitChange });
    }
  }

  async #reconcile(): Promise<Ending> {
    const { reader, signal, clock, ports } = this.#tools;
    const { kind, paused, finalizer, facts, onGone, isOurs = () => true } = this.#reconciler;
    const object = await reader.find(kind, this.#key, { signal });
    if (object === undefined) {
      const next = onGone?.(this.#key, { ports }) ?? awaitChange;
      this.#errors.push(...errorsOf([next]));
      return { outcome: "gone", next };
    }

    const leaving = object.metadata.deletionTimestamp !== undefined;
    if (!leaving && !isOurs(object)) return { outcome: "not-ours", next: awaitChange };
    const isHeld = finalizer === undefined || (object.metadata.finalizers ?? []).includes(finalizer);
    const pass = new ActivePass(object, facts(object, { now: clock.now(), ports }), this.#tools);
    const state = await paused?.rule({ object, reader, signal });
    if (!isHeld && !leaving) return await this.#holdBack(pass, finalizer, state);

    const reported = this.#judgePaused(object, state);
    const isSettled = paused?.isReportedFirst !== true || saysTheSame(reported, storedConditions(object));
    if (state !== undefined && (isPaused(state) || !isSettled))
      return await this.#leaveAlone(object, reported, "paused");

    // Without our finalizer the way out is over, or has never been ours: what was said last stands.
    const hasWayOut = isHeld && (this.#reconciler.onDelete.length > 0 || finalizer !== undefined);
    if (leaving && !hasWayOut) return await this.#leaveAlone(object, reported, "leaving");

    const steps = stepsFor(this.#reconciler, object);
    const { wishes, errors, finished, abandoned } = await runSteps(pass, steps, { leaving });
    this.#errors.push(...errors, ...errorsOf(wishes));
    if (abandoned !== undefined) throw abandoned;
    if (leaving && finished && finalizer !== undefined) release(pass, finalizer);
    // What a step has written itself counts from here on.
    await this.#commit(pass, pass.isRenewed ? this.#judgePaused(pass.object, state) : reported);
    const all = [...wishes, ...this.#verdicts.map((verdict) => verdict.next)];
    const { patience = noTime } = this.#tools;
    if (this.#hasPutOff) all.push(requeueAfter(patience, "what it waits for is told then, unless something happens"));
    const next = all.filter(({ kind: of }) => of !== "retry").reduce(mostUrgent, awaitChange);
    return { outcome: "judged", next, facts: pass.facts, undeclared: pass.undeclared(steps) };
  }

  /** An object that is left alone gets the condition that says whether it is paused, and nothing else. */
  async #leaveAlone(object: Obj, conditions: readonly Condition[], outcome: PassOutcome): Promise<Ending> {
    const toWrite = { status: undefined, conditions, owned: [pausedType] };
    await this.#write(() => writeStatus(object, toWrite, this.#writer()), "status");
    return { outcome, next: awaitChange };
  }

  /** The finalizer has to stand before anything is made that it is to clean up. */
  async #holdBack(
    pass: ActivePass<Obj, Facts, Ports>,
    finalizer: string,
    state: PausedState | undefined,
  ): Promise<Ending> {
    const { object, reader, signal } = pass;
    const isLeftAlone = state !== undefined && isPaused(state);
    if (!isLeftAlone) await this.#reconciler.withFinalizer?.(object, pass, { reader, signal });
    pass.metadata.finalizers = [...(pass.metadata.finalizers ?? []), finalizer];
    await this.#write(() => this.#writeObject(pass, pass.object.metadata.resourceVersion), "object");
    return { outcome: "finalizer-added", next: requeueAfter(noTime, "the finalizer was added"), facts: pass.facts };
  }

  async #commit(pass: ActivePass<Obj, Facts, Ports>, before: readonly Condition[]): Promise<void> {
    const { judgements, conclude, observesGeneration, conditionWriting, paused } = this.#reconciler;
    const { object, facts } = pass;
    const conditions = this.#judge(judgements, { object, facts, conditions: before });
    this.#errors.push(...errorsOf(this.#verdicts.map((verdict) => verdict.next)));
    const owned = [...judgements.map(({ table }) => table.type), ...(paused === undefined ? [] : [pausedType])];
    const decided = conditions.filter(({ type }) => owned.includes(type));
    conclude?.(pass.status, { object, facts, conditions, decided, now: this.#tools.clock.now() });
    if (conditionWriting(this.#tools.ports) === "apply-where-free") {
      const onLeft = (): void => void (this.#leftToOthers = true);
      await this.#write(() => applyConditions(object, decided, { ...this.#writer(), log: pass.log, onLeft }), "status");
      return;
    }
    const isObserved = observesGeneration && this.#errors.length === 0;
    const writeStatusAt = ({ metadata }: KubeObject) => {
      const { resourceVersion } = metadata;
      const generation = this.#judgedGeneration(pass, metadata.generation);
      const judged = generation === undefined ? conditions : this.#observedAt(conditions, generation);
      if (isObserved) observeGeneration(object, pass.status, generation);
      const mayWait = (changes: StatusChanges): boolean => (this.#hasPutOff = this.#mayPutOff(pass, changes));
      const toWrite = { status: pass.drafts.status, conditions: judged, owned, resourceVersion, mayWait };
      return this.#write(() => writeStatus(object, toWrite, this.#writer()), "status");
    };
    const writeObjectAt = (resourceVersion: string | undefined) =>
      this.#write(() => this.#writeObject(pass, resourceVersion), "object");
    // Whoever is told that something is there has to find it in the spec; but what lets go of an object comes last.
    if (isReleased(pass)) {
      const written = await writeStatusAt(object);
      await writeObjectAt((written ?? object).metadata.resourceVersion);
      return;
    }
    const written = await writeObjectAt(object.metadata.resourceVersion);
    await writeStatusAt(written ?? object);
  }

  /** What went wrong, what goes and what was told as an Event is written at once. */
  #mayPutOff(pass: ActivePass<Obj, Facts, Ports>, changes: StatusChanges): boolean {
    const { patience = noTime } = this.#tools;
    if (patience === noTime || this.#errors.length > 0 || pass.hasToldEvents) return false;
    const { object } = pass;
    if (object.metadata.deletionTimestamp !== undefined) return false;
    return isExplanation(changes, { before: storedConditions(object), bookkeeping: this.#reconciler.bookkeeping });
  }

  /** The generation that is made of what was read and what this pass wrote to the spec, if nobody else wrote to it. */
  #judgedGeneration(
    { object, drafts }: ActivePass<Obj, Facts, Ports>,
    written: number | undefined,
  ): number | undefined {
    const { generation = 0 } = object.metadata;
    if (drafts.spec === undefined || written !== generation + 1) return undefined;
    return deepEqual(fieldAt(object, "spec") ?? {}, drafts.spec) ? undefined : written;
  }

  /** What was decided in this pass was decided on the spec as this pass wrote it. */
  #observedAt(conditions: readonly Condition[], generation: number): readonly Condition[] {
    const decided = new Set(
      this.#verdicts.filter(({ report }) => report.kind !== "last-known").map(({ type }) => type),
    );
    return conditions.map((one) =>
      decided.has(one.type) && one.observedGeneration === generation - 1
        ? { ...one, observedGeneration: generation }
        : one,
    );
  }

  #judgePaused(object: Obj, state: PausedState | undefined): readonly Condition[] {
    const conditions = storedConditions(object);
    const { paused } = this.#reconciler;
    if (state === undefined || paused === undefined) return conditions;
    return this.#judge([paused.judgement], { object, facts: state, conditions });
  }

  /** Asks the tables one after the other, each seeing what those before it have decided. */
  #judge<F>(judgements: readonly Judgement<Obj, F>[], { object, facts, ...seen }: Seen<Obj, F>): readonly Condition[] {
    const { clock, spelling } = this.#tools;
    const { generation = 0 } = object.metadata;
    let { conditions } = seen;
    for (const { name, table, decide } of judgements) {
      try {
        const { row, evidence, report, next } = decide({ facts, object, conditions });
        this.#verdicts.push({ table: name, type: table.type, row, evidence, report, next });
        // Most conditions stay as they are, and then there is nothing to make.
        if (report.kind === "last-known" || stands(table, report, { conditions, spelling, generation })) continue;
        const condition = conditionOf(table, report, spelling);
        if (condition !== undefined) conditions = setCondition(conditions, condition, { now: clock.now(), generation });
      } catch (error) {
        this.#errors.push(toError(error));
      }
    }
    return conditions;
  }

  async #write<T>(write: () => Promise<T | undefined | false>, part: "status" | "object"): Promise<T | undefined> {
    const { signal } = this.#tools;
    signal.throwIfAborted();
    try {
      const written = await write();
      if (written === undefined || written === false) return undefined;
      this.#wrote.push(part);
      return written;
    } catch (error) {
      signal.throwIfAborted();
      // Whoever is gone needs no status; but a kind that has no status is an error.
      if (!isNotFound(error) || (await this.#isThere())) this.#errors.push(toError(error));
      return undefined;
    }
  }

  async #isThere(): Promise<boolean> {
    return (await this.#tools.client.find(this.#reconciler.kind, this.#key)) !== undefined;
  }

  async #writeObject(
    { object, drafts }: ActivePass<Obj, Facts, Ports>,
    resourceVersion: string | undefined,
  ): Promise<Obj | undefined> {
    if (drafts.metadata === undefined && drafts.spec === undefined) return undefined;
    const { client } = this.#tools;
    return await writeObject(object, drafts, { kind: this.#reconciler.kind, client, resourceVersion });
  }

  #writer() {
    const tools = this.#tools;
    return {
      kind: this.#reconciler.kind,
      clock: tools.clock,
      // Most passes find nothing to write, and then none is made.
      get client() {
        return tools.client;
      },
    };
  }

  #record(ending: Ending): PassRecord {
    const { clock, reconcileId } = this.#tools;
    return {
      reconciler: this.#reconciler.name,
      key: this.#key,
      reconcileId,
      at: clock.now(),
      took: milliseconds(clock.elapsed() - this.#begun),
      undeclared: [],
      verdicts: this.#verdicts,
      errors: this.#errors,
      wrote: this.#wrote,
      ...(this.#leftToOthers ? { leftToOthers: true } : {}),
      ...(this.#hasPutOff ? { putOff: true } : {}),
      ...ending,
      next: nextAfter(this.#errors, ending.next),
    };
  }
}

/** True where the pass takes a finalizer off. */
function isReleased({ object, drafts }: { readonly object: KubeObject; readonly drafts: Drafts }): boolean {
  const drafted = fieldAt(drafts.metadata, "finalizers");
  const { finalizers = [] } = object.metadata;
  return drafts.metadata !== undefined && (Array.isArray(drafted) ? drafted.length : 0) < finalizers.length;
}

/** True where a condition says already what a table reports. */
function stands(
  table: Judgement<never, never>["table"],
  { status, reason, message }: Exclude<Report, { readonly kind: "last-known" }>,
  { conditions, spelling, generation }: Standing,
): boolean {
  const present = findCondition(conditions, table.type);
  return (
    present !== undefined &&
    present.status === status &&
    present.message === message &&
    (present.observedGeneration ?? 0) === generation &&
    present.reason === spelled(table, reason, spelling)
  );
}

/** Takes the finalizer off, so that a deleted object may go. */
function release({ metadata }: { readonly metadata: MetadataDraft }, finalizer: string): void {
  metadata.finalizers = (metadata.finalizers ?? []).filter((other) => other !== finalizer);
}

/** Whether two lists say the same about pausing; for which generation they do is no news. */
function saysTheSame(reported: readonly Condition[], stored: readonly Condition[]): boolean {
  const [now, before] = [findCondition(reported, pausedType), findCondition(stored, pausedType)];
  return now?.status === before?.status && now?.reason === before?.reason && now?.message === before?.message;
}

function observeGeneration({ metadata, ...object }: KubeObject, status: object, judged: number | undefined): void {
  const generation = judged ?? metadata.generation;
  if (generation === undefined || fieldAt(object, "status", "observedGeneration") === generation) return;
  Reflect.set(status, "observedGeneration", generation);
}
