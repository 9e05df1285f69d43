import { fieldAt, isJsonObject, type Json, type JsonObject, type KubeObject } from "#machinery";
import type { Random } from "./random.ts";
import { randomObject, randomValue } from "./random-values.ts";
import { widgetApiVersions, widgetSchema } from "./widget.ts";

/** One write to the object of a sequence. */
export type Write = {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: Subresource;
} & (
  | { readonly kind: "create" | "update"; readonly body: KubeObject }
  | { readonly kind: "apply"; readonly body: KubeObject; readonly force: boolean }
  | { readonly kind: "merge-patch"; readonly patch: JsonObject }
  | { readonly kind: "json-patch"; readonly patch: readonly Operation[] }
);

export type Subresource = "" | "status";

/** The two operations of JSON Patch that say all there is to say. */
export type Operation =
  | { readonly op: "add"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

const managers = ["one", "two", "three"] as const;
const specSchema = widgetSchema.properties?.["spec"] ?? {};
const statusSchema = widgetSchema.properties?.["status"] ?? {};

/** What the writes of a sequence have in common. */
export interface Sequence {
  readonly name: string;
  readonly random: Random;
  /**
   * Writes in several versions send no status to the object itself: the real server takes the fields of such a status
   * from managers in other versions, although it ignores the status.
   */
  readonly versions: "one" | "several";
}

/** A random write; an object that is not there is created or applied. */
export function randomWrite(sequence: Sequence, live: KubeObject | undefined): Write {
  const { random } = sequence;
  const manager = random.pick(managers);
  const apiVersion = sequence.versions === "one" ? widgetApiVersions[0] : random.pick(widgetApiVersions);
  const subresource: Subresource = live !== undefined && random.chance(0.2) ? "status" : "";
  const common = { manager, apiVersion, subresource };
  const withStatus = subresource === "status" || sequence.versions === "one";
  const body = randomWidget(sequence, { apiVersion, withStatus });
  if (live === undefined) {
    return random.chance(0.4) ? { ...common, kind: "create", body } : { ...common, kind: "apply", body, force: false };
  }
  const choice = random.next();
  if (choice < 0.6) return { ...common, kind: "apply", body, force: random.chance(0.5) };
  if (choice < 0.75) return { ...common, kind: "update", body: { ...changed(live, random, withStatus), apiVersion } };
  if (choice < 0.9) return { ...common, kind: "merge-patch", patch: randomMergePatch(live, random, withStatus) };
  return { ...common, subresource: "", kind: "json-patch", patch: randomJsonPatch(live, random) };
}

function randomWidget(
  { name, random }: Sequence,
  { apiVersion, withStatus }: { readonly apiVersion: string; readonly withStatus: boolean },
): KubeObject {
  return {
    apiVersion,
    kind: "Widget",
    metadata: { name, namespace: "default", ...randomMetadata(random) },
    ...(random.chance(0.95) ? { spec: randomObject(specSchema, random, random.pick([0.1, 0.3, 0.6])) } : {}),
    ...(withStatus && random.chance(0.3) ? { status: randomObject(statusSchema, random, 0.6) } : {}),
  };
}

function randomMetadata(random: Random): KubeObject["metadata"] {
  return {
    ...(random.chance(0.3)
      ? { labels: Object.fromEntries(random.some(["a", "b", "c"], 0.5).map((key) => [key, random.pick(["x", "y"])])) }
      : {}),
    ...(random.chance(0.2)
      ? { annotations: Object.fromEntries(random.some(["a", "b"], 0.5).map((key) => [key, random.pick(["x", "y"])])) }
      : {}),
    ...(random.chance(0.15) ? { finalizers: random.some(["t.test/a", "t.test/b"], 0.6) } : {}),
  };
}

/** The live object with some fields of its spec and status set anew or taken away. */
function changed(live: KubeObject, random: Random, withStatus: boolean): KubeObject {
  const spec = isJsonObject(live["spec"]) ? live["spec"] : {};
  const kept = Object.fromEntries(Object.entries(spec).filter(() => random.chance(0.8)));
  return {
    ...live,
    spec: { ...kept, ...randomObject(specSchema, random, 0.15) },
    ...(withStatus && random.chance(0.5) ? { status: randomObject(statusSchema, random, 0.6) } : {}),
  };
}

function randomMergePatch(live: KubeObject, random: Random, withStatus: boolean): JsonObject {
  if (random.chance(0.1)) return { metadata: { managedFields: [{}] } };
  const spec: Record<string, Json> = { ...randomObject(specSchema, random, 0.1) };
  for (const name of Object.keys(fieldsOf(live["spec"]))) if (random.chance(0.1)) spec[name] = null;
  return {
    ...(random.chance(0.3) ? { metadata: { labels: { a: random.pick<Json>([null, "x", "z"]) } } } : {}),
    spec,
    ...(withStatus && random.chance(0.4) ? { status: randomObject(statusSchema, random, 0.5) } : {}),
  };
}

function randomJsonPatch(live: KubeObject, random: Random): Operation[] {
  if (random.chance(0.3)) return patchOfManagers(live, random);
  const operations: Operation[] = [];
  if (!isJsonObject(live["spec"])) operations.push({ op: "add", path: "/spec", value: {} });
  for (const [name, property] of Object.entries(specSchema.properties ?? {})) {
    const choice = random.next();
    if (choice < 0.08) operations.push({ op: "add", path: `/spec/${name}`, value: randomValue(property, random) });
    else if (choice < 0.16 && fieldAt(live, "spec", name) !== undefined) {
      operations.push({ op: "remove", path: `/spec/${name}` });
    }
  }
  return operations;
}

/** What clients do to managedFields themselves: take an entry away, or give it to somebody else. */
function patchOfManagers(live: KubeObject, random: Random): Operation[] {
  const entries = live.metadata.managedFields ?? [];
  if (entries.length === 0) return [];
  const at = random.below(entries.length);
  if (random.chance(0.5)) return [{ op: "remove", path: `/metadata/managedFields/${at}` }];
  const path = `/metadata/managedFields/${at}/${random.chance(0.5) ? "manager" : "operation"}`;
  return [
    {
      op: "add",
      path,
      value: path.endsWith("manager") ? random.pick(managers) : random.pick(["Apply", "Update", "Nonsense"]),
    },
  ];
}

function fieldsOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
