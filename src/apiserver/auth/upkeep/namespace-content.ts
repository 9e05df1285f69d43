import { ApiError, deepEqual, isAlreadyExists, isNotFound, type KubeObject } from "#machinery";
import { createWorker, type Worker, type WorkerOptions } from "#apiserver/collect";
import type { Plane } from "#apiserver/registry";

const namespaces = { group: "", resource: "namespaces" };
const serviceAccounts = { group: "", resource: "serviceaccounts" };
const configMaps = { group: "", resource: "configmaps" };

const accountName = "default";
const rootName = "kube-root-ca.crt";
const rootDescription =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Keeps in every namespace what each of them has, as long as it is not being deleted. */
export interface NamespaceContent extends Worker {
  /** Publishes another certificate of the authority, everywhere. */
  publish(authority: string): void;
}

/**
 * Sees to it that every namespace has a ServiceAccount `default` and a ConfigMap `kube-root-ca.crt`, which holds the
 * certificate of the authority that signs the server's own.
 */
export function fillNamespaces(
  plane: Plane,
  authority: string,
  options: Omit<WorkerOptions, "name" | "work">,
): NamespaceContent {
  let current = authority;
  const work = async (namespace: string) => {
    if (!isAlive(plane.get(namespaces, { name: namespace }))) return;
    await ensureAccount(plane, namespace);
    await ensureRoot(plane, namespace, current);
  };
  const worker = createWorker({ ...options, name: "content of namespaces", work });
  const wakeAll = () => {
    for (const { name } of plane.collections.of(namespaces).keys()) worker.add(name);
  };
  plane.collections.of(namespaces).subscribe(({ kind, name }) => {
    if (kind === "created") worker.add(name);
  });
  plane.collections.of(serviceAccounts).subscribe(({ kind, namespace, name }) => {
    if (name === accountName && kind === "deleted") worker.add(namespace);
  });
  plane.collections.of(configMaps).subscribe(({ kind, namespace, name }) => {
    if (name === rootName && kind !== "created") worker.add(namespace);
  });
  wakeAll();
  return {
    ...worker,
    publish(next) {
      current = next;
      wakeAll();
    },
  };
}

function isAlive(namespace: KubeObject | undefined): boolean {
  return namespace !== undefined && namespace.metadata.deletionTimestamp === undefined;
}

async function ensureAccount(plane: Plane, namespace: string): Promise<void> {
  if (plane.get(serviceAccounts, { namespace, name: accountName }) !== undefined) return;
  const metadata = { name: accountName, namespace };
  await unlessMoot(plane, namespace, () =>
    plane.create(serviceAccounts, { apiVersion: "v1", kind: "ServiceAccount", metadata }),
  );
}

async function ensureRoot(plane: Plane, namespace: string, authority: string): Promise<void> {
  const data = { "ca.crt": authority };
  const present = plane.get(configMaps, { namespace, name: rootName });
  const annotations = { "kubernetes.io/description": rootDescription };
  if (present === undefined) {
    const metadata = { name: rootName, namespace, annotations };
    await unlessMoot(plane, namespace, () =>
      plane.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata, data }),
    );
    return;
  }
  if (deepEqual(present["data"], data)) return;
  await unlessMoot(plane, namespace, () =>
    plane.rewrite(configMaps, { namespace, name: rootName }, (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, ...annotations } },
      data,
    })),
  );
}

/** Somebody may have been faster, or the namespace may be on its way out by now. */
async function unlessMoot(plane: Plane, namespace: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isAlreadyExists(error) || isNotFound(error) || isTooLate(error)) return;
    if (isAlive(plane.get(namespaces, { name: namespace }))) throw error;
  }
}

/** Whoever writes learns of the end of a namespace a moment before whoever reads. */
function isTooLate(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true;
}
