import type { Timestamp } from "#base";
import { describeGroupResource, fieldAt, isConflict, isNotFound, type KubeObject } from "#machinery";
import type { Plane } from "#apiserver/registry";
import { type NamespaceRemains, namespaceConditions } from "./namespace-conditions.ts";
import { createWorker, type Worker, type WorkerOptions } from "./worker.ts";

const namespaces = { group: "", resource: "namespaces" };

/** Empties namespaces that are being deleted, says what is still in them, and lets go of those that are empty. */
export function terminateNamespaces(plane: Plane, options: Omit<WorkerOptions, "name" | "work">): Worker {
  const { clock } = options;
  const work = (name: string) => terminate(plane, name, clock.now());
  const worker = createWorker({ ...options, name: "namespace termination", work });
  for (const namespace of plane.collections.of(namespaces).list()) {
    if (isTerminating(namespace)) worker.add(namespace.metadata.name ?? "");
  }
  plane.collections.observe(({ group, resource }, { kind, namespace, name, object }) => {
    const isNamespace = group === "" && resource === "namespaces";
    if (isNamespace && kind !== "deleted" && isTerminating(object)) worker.add(name);
    // Something left a namespace that may have been waiting for just that.
    if (kind === "deleted" && namespace !== "" && isTerminating(plane.get(namespaces, { name: namespace }))) {
      worker.add(namespace);
    }
  });
  return worker;
}

function isTerminating(namespace: KubeObject | undefined): boolean {
  return namespace?.metadata.deletionTimestamp !== undefined;
}

async function terminate(plane: Plane, name: string, now: Timestamp): Promise<void> {
  const namespace = plane.get(namespaces, { name });
  if (namespace === undefined || !isTerminating(namespace)) return;
  const finalizers = fieldAt(namespace, "spec", "finalizers");
  if (!Array.isArray(finalizers) || !finalizers.includes("kubernetes")) return;
  await deleteContent(plane, name);
  const remains = remainsOf(plane, name);
  if (remains.resources.size === 0) await finalize(plane, name);
  else await report(plane, name, remains, now);
}

async function deleteContent(plane: Plane, namespace: string): Promise<void> {
  for (const { definition, collection } of plane.resources.all()) {
    if (!definition.namespaced) continue;
    for (const { metadata } of collection.list(namespace)) {
      if (metadata.deletionTimestamp !== undefined) continue;
      try {
        await plane.delete(definition, { namespace, name: metadata.name ?? "" }, { propagationPolicy: "Background" });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }
}

function remainsOf(plane: Plane, namespace: string): NamespaceRemains {
  const resources = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const { definition, collection } of plane.resources.all()) {
    if (!definition.namespaced) continue;
    const objects = collection.list(namespace);
    if (objects.length === 0) continue;
    // Printed as the real server does: the group after a dot, even where there is none.
    const { group, resource } = definition;
    resources.set(group === "" ? `${resource}.` : describeGroupResource({ group, resource }), objects.length);
    for (const finalizer of objects.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
  }
  return { resources, finalizers };
}

async function finalize(plane: Plane, name: string): Promise<void> {
  await plane.rewrite(namespaces, { name }, withoutOurFinalizer, { subresource: "finalize" });
}

function withoutOurFinalizer(namespace: KubeObject): KubeObject {
  const finalizers = fieldAt(namespace, "spec", "finalizers");
  const kept = Array.isArray(finalizers) ? finalizers.filter((each) => each !== "kubernetes") : [];
  return { ...namespace, spec: kept.length === 0 ? {} : { finalizers: kept } };
}

async function report(plane: Plane, name: string, remains: NamespaceRemains, now: Timestamp): Promise<void> {
  const withConditions = (namespace: KubeObject): KubeObject => ({
    ...namespace,
    status: {
      phase: "Terminating",
      conditions: namespaceConditions(remains, fieldAt(namespace, "status", "conditions"), now),
    },
  });
  await plane.rewrite(namespaces, { name }, withConditions, { subresource: "status" });
}
