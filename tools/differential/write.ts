import { fieldAt, isJsonObject, type Json, type JsonObject, type KubeObject } from "#machinery";
import type { Random } from "./random.ts";
import { randomObject, randomValue } from "./random-values.ts";
import { widgetApiVersion, widgetSchema } from "./widget.ts";

/** One write to the object of a sequence. */
export type Write =
  | { readonly kind: "create"; readonly manager: string; readonly body: KubeObject }
  | { readonly kind: "update"; readonly manager: string; readonly body: KubeObject; readonly subresource: Subresource }
  | {
      readonly kind: "apply";
      readonly manager: string;
      readonly body: KubeObject;
      readonly force: boolean;
      readonly subresource: Subresource;
    }
  | {
      readonly kind: "merge-patch";
      readonly manager: string;
      readonly patch: JsonObject;
      readonly subresource: Subresource;
    }
  | { readonly kind: "json-patch"; readonly manager: string; readonly patch: readonly Operation[] };

export type Subresource = "" | "status";

/** The two operations of JSON Patch that say all there is to say. */
export type Operation =
  | { readonly op: "add"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

const managers = ["one", "two", "three"] as const;
const specSchema = widgetSchema.properties?.["spec"] ?? {};
const statusSchema = widgetSchema.properties?.["status"] ?? {};

/** A random write; an object that is not there is created or applied. */
export function randomWrite(name: string, live: KubeObject | undefined, random: Random): Write {
  const manager = random.pick(managers);
  if (live === undefined) {
    const body = randomWidget(name, random);
    return random.chance(0.4)
      ? { kind: "create", manager, body }
      : { kind: "apply", manager, body, force: false, subresource: "" };
  }
  const subresource: Subresource = random.chance(0.2) ? "status" : "";
  const choice = random.next();
  if (choice < 0.6) {
    return { kind: "apply", manager, body: randomWidget(name, random), force: random.chance(0.5), subresource };
  }
  if (choice < 0.75) return { kind: "update", manager, body: changed(live, random), subresource };
  if (choice < 0.9) return { kind: "merge-patch", manager, patch: randomMergePatch(live, random), subresource };
  return { kind: "json-patch", manager, patch: randomJsonPatch(live, random) };
}

function randomWidget(name: string, random: Random): KubeObject {
  return {
    apiVersion: widgetApiVersion,
    kind: "Widget",
    metadata: { name, namespace: "default", ...randomMetadata(random) },
    ...(random.chance(0.95) ? { spec: randomObject(specSchema, random, random.pick([0.1, 0.3, 0.6])) } : {}),
    ...(random.chance(0.3) ? { status: randomObject(statusSchema, random, 0.6) } : {}),
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
function changed(live: KubeObject, random: Random): KubeObject {
  const spec = isJsonObject(live["spec"]) ? live["spec"] : {};
  const kept = Object.fromEntries(Object.entries(spec).filter(() => random.chance(0.8)));
  return {
    ...live,
    spec: { ...kept, ...randomObject(specSchema, random, 0.15) },
    ...(random.chance(0.5) ? { status: randomObject(statusSchema, random, 0.6) } : {}),
  };
}

function randomMergePatch(live: KubeObject, random: Random): JsonObject {
  if (random.chance(0.1)) return { metadata: { managedFields: [{}] } };
  const spec: Record<string, Json> = { ...randomObject(specSchema, random, 0.1) };
  for (const name of Object.keys(fieldsOf(live["spec"]))) if (random.chance(0.1)) spec[name] = null;
  return {
    ...(random.chance(0.3) ? { metadata: { labels: { a: random.pick<Json>([null, "x", "z"]) } } } : {}),
    spec,
    ...(random.chance(0.4) ? { status: randomObject(statusSchema, random, 0.5) } : {}),
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
