import type { TortureFindings, TortureRecord } from "./torture-subject.ts";

/** What must hold after a kill, given what the killed process and those before it had acknowledged. */
export class TortureCheck {
  /** The newest write of each key that was acknowledged, or found after a kill, over all rounds. */
  readonly #newest = new Map<string, TortureRecord>();
  #revision = 0;

  /** Throws when an acknowledged write is lost, another one is half there, or history has a gap. */
  async verify(
    acknowledged: readonly TortureRecord[],
    findings: TortureFindings,
    options: { readonly writers: number },
  ): Promise<void> {
    this.#remember(acknowledged);
    const history = await findings.historyFrom(findings.compacted);
    this.#checkCounter(acknowledged, findings);
    checkContiguous(history, findings);
    checkAcknowledged(acknowledged, history, findings);
    this.#checkObjects(history, findings);
    checkUnacknowledged(acknowledged, history, { after: this.#revision, writers: options.writers });
    await checkSuffixes(acknowledged, history, findings);
    this.#revision = findings.revision;
    this.#remember(history.filter(isOurs));
  }

  #remember(writes: readonly TortureRecord[]): void {
    for (const write of writes) {
      const newest = this.#newest.get(write.key);
      if (newest === undefined || newest.revision < write.revision) this.#newest.set(write.key, write);
    }
  }

  #checkCounter(acknowledged: readonly TortureRecord[], { revision }: TortureFindings): void {
    const highest = acknowledged.reduce((max, write) => Math.max(max, write.revision), this.#revision);
    if (revision < highest) throw new Error(`the counter stands at ${revision}, but ${highest} was acknowledged`);
    const repeated = acknowledged.find((write) => write.revision <= this.#revision);
    if (repeated !== undefined) throw new Error(`revision ${repeated.revision} was given out twice`);
  }

  #checkObjects(history: readonly TortureRecord[], { compacted, objects }: TortureFindings): void {
    const found = new Map(objects.map((object) => [object.key, object]));
    // Whatever the history ends with for a key is what exists, whether acknowledged or not: nothing is half there.
    const last = new Map(history.filter(isOurs).map((record) => [record.key, record]));
    for (const [key, record] of last) {
      const object = found.get(key);
      const expected = record.op === "put" ? record.revision : undefined;
      if (object?.revision !== expected)
        throw new Error(`${key} is at ${object?.revision}, its history at ${expected}`);
    }
    for (const [key, write] of this.#newest) {
      if (last.has(key)) continue;
      const object = found.get(key);
      const kept = write.op === "put" ? object?.revision === write.revision : object === undefined;
      if (!kept) throw new Error(`${key} was last written at ${write.revision} and is at ${object?.revision}`);
    }
    const foreign = objects.find((object) => object.revision > compacted && last.get(object.key) === undefined);
    if (foreign !== undefined) throw new Error(`${foreign.key} exists without history`);
  }
}

function checkContiguous(history: readonly TortureRecord[], { revision, compacted }: TortureFindings): void {
  const wrong = history.findIndex((record, index) => record.revision !== compacted + 1 + index);
  if (wrong >= 0) throw new Error(`history has ${history[wrong]?.revision} where ${compacted + 1 + wrong} belongs`);
  if (history.length !== revision - compacted) throw new Error(`history ends before revision ${revision}`);
}

function checkAcknowledged(
  acknowledged: readonly TortureRecord[],
  history: readonly TortureRecord[],
  { compacted }: TortureFindings,
): void {
  for (const write of acknowledged) {
    if (write.revision <= compacted) continue;
    const record = history[write.revision - compacted - 1];
    const same = record?.key === write.key && record.op === write.op;
    if (!same || (write.op === "put" && record.sequence !== write.sequence))
      throw new Error(`acknowledged revision ${write.revision} of ${write.key} is lost`);
  }
}

/** Each writer waits for its answer, so no more writes than writers can have gone unanswered. */
function checkUnacknowledged(
  acknowledged: readonly TortureRecord[],
  history: readonly TortureRecord[],
  { after, writers }: { readonly after: number; readonly writers: number },
): void {
  const known = new Set(acknowledged.map((write) => write.revision));
  const unknown = history.filter((record) => isOurs(record) && record.revision > after && !known.has(record.revision));
  if (unknown.length > writers) throw new Error(`${unknown.length} writes were done that nobody was told of`);
}

async function checkSuffixes(
  acknowledged: readonly TortureRecord[],
  history: readonly TortureRecord[],
  findings: TortureFindings,
): Promise<void> {
  const kept = acknowledged.filter((write) => write.revision >= findings.compacted);
  // A few of them: each costs a walk over the history.
  for (const write of kept.filter((_, index) => index % Math.ceil(kept.length / 5) === 0)) {
    const suffix = (await findings.historyFrom(write.revision)).map(textOf);
    const expected = history.slice(write.revision - findings.compacted).map(textOf);
    if (suffix.join() !== expected.join()) throw new Error(`history from ${write.revision} on is not what was written`);
  }
}

function isOurs({ foreign }: TortureRecord): boolean {
  return foreign !== true;
}

function textOf({ op, key, revision, sequence }: TortureRecord): string {
  return `${revision} ${op} ${key} ${sequence}`;
}
