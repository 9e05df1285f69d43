import type { Duration } from "#base";
import { ApiError, type KubeObject, type ObjectKey, type Status, type Transport } from "#machinery";
import { afterAll, beforeAll, test } from "vitest";
import { deprecatedWidgets, gadgetDefinition, gadgets, widgetDefinition, widgets } from "./widget.ts";

/** A server that the suite runs on. */
export interface Subject {
  readonly transport: Transport;
  /** A part of names that no other run on this server has. */
  readonly run: string;
  /** Checks once when the server has nothing left to do; where that cannot be known, again and again for a while. */
  readonly eventually: (check: () => Promise<void>) => Promise<void>;
  /** Moves time on; absent where time takes its own course. */
  readonly advance?: (duration: Duration) => Promise<void>;
  close(): Promise<void>;
}

/** What one test has to itself. */
export interface Scene extends Omit<Subject, "close" | "run"> {
  readonly namespace: string;
  /** A word that no other test has. */
  readonly word: string;
}

/** Registers tests whose names are sentences about the server, each in a namespace of its own. */
export type Sentence = (sentence: string, run: (scene: Scene) => Promise<void>) => void;

const namespaces = { group: "", version: "v1", resource: "namespaces" };
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** Opens a server with Widgets and Gadgets for the tests that are registered with the answer. */
export function sentences(open: () => Promise<Subject>): Sentence {
  let subject: Subject | undefined;
  let count = 0;
  beforeAll(async () => {
    subject = await open();
    await serveWidgets(subject);
  });
  afterAll(() => subject?.close());
  return (sentence, run) =>
    test(sentence, async () => {
      if (subject === undefined) throw new Error("the server did not open");
      const { transport, eventually, advance } = subject;
      const word = `${subject.run}${++count}`;
      const namespace = `scene-${word}`;
      await transport.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await run({ transport, eventually, namespace, word, ...(advance === undefined ? {} : { advance }) });
    });
}

async function serveWidgets({ transport, eventually }: Subject): Promise<void> {
  for (const definition of [widgetDefinition, gadgetDefinition]) {
    try {
      await transport.create(definitions, definition);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
    }
  }
  await eventually(async () => {
    for (const resource of [widgets, deprecatedWidgets, gadgets]) await transport.list(resource);
  });
}

/** The Status with which a call was refused. */
export async function refusal(call: Promise<unknown>): Promise<Status> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
  throw new Error("the call was not refused");
}

/** What of a refusal people and programs go by. */
export async function refused(call: Promise<unknown>): Promise<{ readonly code: unknown; readonly message: unknown }> {
  const { code, reason, message } = await refusal(call);
  return { code, ...(reason === undefined ? {} : { reason }), message };
}

/** The object, or nothing where there is none. */
export async function found(call: Promise<KubeObject>): Promise<KubeObject | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.reason === "NotFound") return undefined;
    throw error;
  }
}

/** The key of an object. */
export function keyOf({ metadata }: KubeObject): ObjectKey {
  const { namespace, name = "" } = metadata;
  return namespace === undefined ? { name } : { namespace, name };
}

/** Keeps the warnings of calls. */
export function warnings(): { readonly texts: string[]; readonly onWarning: (text: string) => void } {
  const texts: string[] = [];
  return { texts, onWarning: (text) => texts.push(text) };
}
