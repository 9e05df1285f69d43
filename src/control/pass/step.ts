import type { Clock, Next } from "#base";
import type { KubeObject } from "#machinery";
import type { Reader } from "../reader.ts";
import type { Pass } from "./pass.ts";

/** Skips the steps after this one. On the way out it also says that the object has to stay for now. */
export const stop = Symbol("stop");

/** Ends the pass: nothing is judged and nothing is written, and it is tried again. */
export interface Abandoned {
  readonly kind: "abandon";
  readonly error: Error;
}

/** What a step says when it has ended: nothing to go on, `stop`, `abandon`, or when to look at the object again. */
export type StepResult = void | typeof stop | Abandoned | Next;

/** Says that without what a step could not get there is nothing to say about the object. */
export function abandon(error: Error): Abandoned {
  return { kind: "abandon", error };
}

/** What an observer has at hand: it reads and changes nothing, so that it can run on a live plane and on a file. */
export interface Looking<Obj extends KubeObject, Facts, Ports> {
  readonly object: Obj;
  readonly reader: Reader;
  /** What is known so far, the facts of the steps before included. */
  readonly facts: Facts;
  readonly ports: Ports;
  /** Facts from elsewhere that only acting could find out anew; none in a pass. */
  readonly known: Readonly<Partial<Facts>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One thing that a pass does: first it looks, then it acts. */
export interface Step<Obj extends KubeObject, Facts, Ports> {
  readonly name: string;
  readonly text: string;
  /** Facts that only `run` can find out, such as the answer of an extension. */
  readonly learns: readonly string[];
  /** True where the steps after it run on the way out too, whatever becomes of this one. */
  readonly independent?: boolean;
  readonly observe?: (
    looking: Looking<Obj, Facts, Ports>,
  ) => Readonly<Partial<Facts>> | Promise<Readonly<Partial<Facts>>>;
  readonly run?: (pass: Pass<Obj, Facts, Ports>) => StepResult | Promise<StepResult>;
}

/** How a step is declared. */
export interface StepDeclaration<Obj extends KubeObject, Facts, Ports> extends Omit<Step<Obj, Facts, Ports>, "learns"> {
  readonly learns?: readonly (keyof Facts & string)[];
}

/** Declares a step: a name, a sentence about what it ensures, what it reads and what it does. */
export function defineStep<Obj extends KubeObject, Facts, Ports = unknown>(
  declaration: StepDeclaration<Obj, Facts, Ports>,
): Step<Obj, Facts, Ports> {
  return { ...declaration, learns: declaration.learns ?? [] };
}

const none = Object.freeze({});

/** No facts at all, whatever they may be. */
export function noFacts<Facts>(): Readonly<Partial<Facts>> {
  return none;
}
