import { ClusterClass, type ExtensionConfig } from "#api";
import { CapstanError } from "#base";
import type { Reader } from "#control";
import { compileLabelSelector, InvalidLabelSelectorError, keyOf, type ObjectKey, type Selector } from "#machinery";

/** What looking for classes needs. */
export interface Lookup {
  readonly reader: Pick<Reader, "find" | "list">;
  readonly signal: AbortSignal;
}

/** The classes whose variables an extension helps to define, as far as it may be asked for their namespaces. */
export async function classesUsing(config: ExtensionConfig, { reader, signal }: Lookup): Promise<readonly ObjectKey[]> {
  const selector = selectorOf(config);
  const { name = "" } = config.metadata;
  if (selector === undefined) return [];
  const found: ObjectKey[] = [];
  for (const clusterClass of await classes(reader, signal)) {
    if (!asks(clusterClass, name)) continue;
    const { namespace = "" } = clusterClass.metadata;
    if (await covers(selector, namespace, { reader, signal })) found.push(keyOf(clusterClass));
  }
  return found;
}

const Namespace = { group: "", version: "v1", kind: "Namespace" };

/** Undefined where the selector says nothing that can be asked. */
function selectorOf({ spec }: ExtensionConfig): Selector | undefined {
  try {
    return compileLabelSelector(spec.namespaceSelector);
  } catch (error) {
    if (!(error instanceof InvalidLabelSelectorError)) throw error;
    return undefined;
  }
}

/** What cannot be read is not woken; it is looked at anyway when it changes. */
async function classes(reader: Lookup["reader"], signal: AbortSignal): Promise<readonly ClusterClass[]> {
  try {
    return await reader.list(ClusterClass, { signal });
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return [];
  }
}

async function covers(selector: Selector, namespace: string, { reader, signal }: Lookup): Promise<boolean> {
  if (selector.requirements.length === 0) return selector.matches({});
  try {
    const found = await reader.find(Namespace, { name: namespace }, { signal });
    return found !== undefined && selector.matches(found.metadata.labels);
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return false;
  }
}

/** A handler is registered as `<handler>.<extension config>`; other names are nobody's. */
function asks({ spec }: ClusterClass, configName: string): boolean {
  return (spec.patches ?? []).some(({ external }) => {
    const parts = (external?.discoverVariablesExtension ?? "").split(".");
    return parts.length === 2 && parts[1] === configName;
  });
}
