import { type Clock, toError } from "#base";
import type { KubeObject } from "#machinery";
import type { Reader } from "../reader.ts";
import type { Reconciler } from "../reconciler.ts";
import { noFacts, type Step } from "./step.ts";

/** Where facts are gathered from. */
export interface FactSource<Facts, Ports> {
  /** An API server, a cache or a dump. */
  readonly reader: Reader;
  /** Facts that only acting finds out, as the last pass found them or as a file has them. */
  readonly known?: Readonly<Partial<Facts>>;
  readonly ports: Ports;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The facts of a pass that was not made. */
export interface GatheredFacts<Facts> {
  readonly facts: Facts;
  /** Names of facts that only acting could find out and that nobody handed in: they are as they were at first. */
  readonly missing: readonly string[];
  /** Observers that failed; their facts are as they were at first. */
  readonly problems: readonly { readonly step: string; readonly error: Error }[];
}

/** Gathers the facts that a pass over an object would have, and changes nothing. */
export async function factsOf<Obj extends KubeObject, Facts extends object, Ports>(
  reconciler: Pick<Reconciler<Obj, Facts, Ports>, "facts" | "steps" | "onDelete">,
  object: Obj,
  { reader, known = noFacts<Facts>(), ports, clock, signal }: FactSource<Facts, Ports>,
): Promise<GatheredFacts<Facts>> {
  const steps = stepsFor(reconciler, object);
  const learnable = new Set(steps.flatMap((step) => step.learns));
  const handedIn = Object.entries(known).filter(([name]) => learnable.has(name));
  let facts: Facts = { ...reconciler.facts(object, { now: clock.now(), ports }), ...Object.fromEntries(handedIn) };
  const found = new Set(handedIn.map(([name]) => name));
  const problems: { readonly step: string; readonly error: Error }[] = [];
  for (const step of steps) {
    if (step.observe === undefined) continue;
    try {
      const observed = await step.observe({ object, reader, facts, ports, known, clock, signal });
      for (const name of Object.keys(observed)) found.add(name);
      facts = { ...facts, ...observed };
    } catch (error) {
      signal.throwIfAborted();
      problems.push({ step: step.name, error: toError(error) });
    }
  }
  return { facts, missing: [...learnable].filter((name) => !found.has(name)), problems };
}

/** The steps that an object goes through: those of the way out once it is being deleted. */
export function stepsFor<Obj extends KubeObject, Facts extends object, Ports>(
  { steps, onDelete }: Pick<Reconciler<Obj, Facts, Ports>, "steps" | "onDelete">,
  { metadata }: Obj,
): readonly Step<Obj, Facts, Ports>[] {
  return metadata.deletionTimestamp === undefined ? steps : onDelete;
}
