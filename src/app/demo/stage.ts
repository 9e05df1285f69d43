import { type Clock, describeError, type Duration, formatDuration, milliseconds, seconds } from "#base";
import {
  type ConditionTree,
  defaultGracePeriods,
  explainObject,
  fetchPasses,
  liveSituation,
  type Paint,
  treeLines,
} from "#cli";
import type { AnyKind, Client } from "#client";
import { readCondition, type Status } from "#conditions";
import { type Manager, passJson } from "#control";
import { type Kind, kindOf, type KubeObject } from "#machinery";
import { devJudges } from "../commands/explain-dev.ts";
import { DemoError } from "../errors.ts";

/** What a condition is promised to become. */
export interface Promised {
  readonly type: string;
  readonly status: Status;
  readonly reason?: string;
}

/** Where the demo plays: it changes objects, tells what comes of it, and checks that. */
export interface Stage {
  readonly client: Client;
  /** Begins a part of the story. */
  title(text: string): void;
  say(text: string): void;
  /** Makes objects be as they are given. */
  apply(...objects: readonly KubeObject[]): Promise<void>;
  /** Makes the status of an object be as it is given, in place of a controller. */
  report(object: KubeObject): Promise<void>;
  /** Sets an annotation, or takes it away. */
  annotate(kind: Kind, name: string, annotation: Readonly<Record<string, string | null>>): Promise<void>;
  /** Waits until a condition is as promised; throws a DemoError where it is not in time. */
  until(kind: Kind, name: string, promised: Promised): Promise<void>;
  /** Prints why a condition is what it is; throws a DemoError where it was not the row that was promised. */
  explain(kind: Kind, name: string, promised: { readonly type: string; readonly row: string }): Promise<void>;
}

/** What a stage is made of. */
export interface StageOptions {
  readonly client: Client;
  readonly manager: Manager;
  readonly write: (text: string) => void;
  readonly paint: Paint;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long something that is promised may take; half a minute unless told. */
  readonly patience?: Duration;
}

const namespace = "default";

/** Makes a stage. */
export function createStage(options: StageOptions): Stage {
  const { client, manager, write, paint, clock, signal, patience = seconds(30) } = options;
  const begun = clock.elapsed();
  const passes = fetchPasses(
    (query) => Promise.resolve(passesOf(manager, new URLSearchParams(query))),
    () => undefined,
  );

  return {
    client,
    title: (text) => write(`\n${paint.bold(text)}\n`),
    say: (text) => write(`  ${text}\n`),
    async apply(...objects) {
      for (const object of objects) await client.apply(kindOf(object), placed(object), { force: true, signal });
    },
    async report(object) {
      await client.applyStatus(kindOf(object), placed(object), { force: true, signal });
    },
    async annotate(kind, name, annotations) {
      const patch = { metadata: { annotations } };
      await client.patch(kind, { namespace, name }, { kind: "merge", patch }, { signal });
    },
    async until(kind, name, promised) {
      const { type, status, reason } = promised;
      const seen = await waitFor(kind, name, promised);
      if (seen !== undefined) throw new DemoError(`${kind.kind} ${name} was to report ${type}=${status}, but ${seen}`);
      const took = formatDuration(milliseconds(Math.round((clock.elapsed() - begun) / 100) * 100));
      const says = paint.good(`${type}=${status}${reason === undefined ? "" : ` (${reason})`}`);
      write(`  ${paint.good("ok")} ${kind.kind}/${name} ${says} ${paint.dim(`after ${took}`)}\n`);
    },
    async explain(kind, name, { type, row }) {
      const facts = { connection: {}, connections: new Map(), objects: new Map() };
      const settings = {
        signal,
        spelling: "documented",
        gracePeriods: defaultGracePeriods,
        judges: devJudges,
        facts,
      } as const;
      await using situation = liveSituation({ ...settings, client, passes, clock });
      const { tree } = await explainObject({ kind: kind.kind, name, namespace, condition: type }, situation);
      write(`  $ capstan explain ${kind.kind.toLowerCase()}/${name} ${type}\n`);
      for (const line of treeLines(tree, paint)) write(`    ${line}\n`);
      const rows = rowsIn(tree);
      if (!rows.includes(row)) throw new DemoError(`row ${row} was to decide, but it was ${rows.join(", ")}`);
    },
  };

  /** Undefined once the condition is as promised, or how it was instead. */
  async function waitFor(kind: AnyKind, name: string, promised: Promised): Promise<string | undefined> {
    const ending = new AbortController();
    const late = clock.sleep(patience, { signal: ending.signal }).then(
      () => ending.abort(),
      () => undefined,
    );
    let last = "it was never there";
    try {
      for await (const event of client.watch(kind, { signal: AbortSignal.any([ending.signal, signal]) })) {
        const objects = event.kind === "listed" ? event.objects : [event.object];
        const found = objects.find(({ metadata }) => metadata.name === name);
        if (found === undefined) continue;
        const condition = readCondition(found, promised.type);
        if (isAs(condition, promised)) return undefined;
        last =
          condition === undefined
            ? "it does not"
            : `it says ${condition.status}, ${condition.reason}: ${condition.message}`;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!ending.signal.aborted) return describeError(error);
    } finally {
      ending.abort();
      await late;
    }
    return last;
  }
}

function isAs(
  condition: { readonly status: Status; readonly reason: string } | undefined,
  promised: Promised,
): boolean {
  const { status, reason } = promised;
  return condition?.status === status && (reason === undefined || condition.reason === reason);
}

function placed(object: KubeObject): KubeObject {
  return { ...object, metadata: { namespace, ...object.metadata } };
}

function rowsIn({ explanation, sources }: ConditionTree): readonly string[] {
  return [...(explanation === undefined ? [] : [explanation.row]), ...sources.flatMap(rowsIn)];
}

/** What the diagnostics address of the manager would answer. */
function passesOf(manager: Manager, query: URLSearchParams): object {
  const key = { namespace: query.get("namespace") ?? "", name: query.get("name") ?? "" };
  const found = manager.controllers
    .filter(({ kind }) => kind.kind === query.get("kind"))
    .map(({ kind }) => manager.lastPass(kind, key.namespace === "" ? { name: key.name } : key));
  return { passes: found.flatMap((record) => (record === undefined ? [] : [passJson(record)])) };
}
