import { wrap } from "#base";
import { type KubeObject, nothing, type ObjectKey, type Selector } from "#machinery";

/** Reads Namespaces: a client, or a cache. */
export interface NamespaceReader {
  /** Throws an ApiError `NotFound` where there is none. */
  get(kind: typeof namespaceKind, key: ObjectKey, options?: { readonly signal?: AbortSignal }): Promise<KubeObject>;
}

const namespaceKind = { group: "", version: "v1", kind: "Namespace" } as const;

/** True where a selector takes objects of a namespace. One that takes everything does not even look. */
export async function matchesNamespace(
  selector: Selector,
  namespace: string,
  { namespaces, signal }: { readonly namespaces: NamespaceReader; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  if (takesEverything(selector)) return true;
  const labels = await labelsOf();
  return selector.matches(labels);

  async function labelsOf(): Promise<KubeObject["metadata"]["labels"]> {
    try {
      const found = await namespaces.get(namespaceKind, { name: namespace }, signal === undefined ? {} : { signal });
      return found.metadata.labels;
    } catch (error) {
      throw wrap(error, `failed to match namespace: failed to get namespace ${namespace}`);
    }
  }
}

/** True for a selector without requirements; the one that takes nothing has none either. */
export function takesEverything(selector: Selector): boolean {
  return selector !== nothing && selector.requirements.length === 0;
}
