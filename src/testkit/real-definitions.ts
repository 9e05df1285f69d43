import { milliseconds, systemClock } from "#base";
import {
  fieldAt,
  type GroupVersionResource,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type Transport,
} from "#machinery";

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** Makes a real server serve what a definition says; resolves when it does. One that is being taken away comes back. */
export async function installDefinition(transport: Transport, definition: KubeObject): Promise<void> {
  const { name = "" } = definition.metadata;
  let isNew = false;
  await eventually(async () => {
    try {
      const stored = await transport.get(definitions, { name });
      if (stored.metadata.deletionTimestamp !== undefined || !isEstablished(stored)) return false;
      await transport.list(resourceOf(stored), { limit: 1 });
      // What has been there for a while is known to everybody.
      return !isNew || (await isDiscovered(transport, resourceOf(stored)));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      isNew = true;
      await transport.create(definitions, definition).catch(unlessThere);
      return false;
    }
  });
}

/** Takes a kind away from a real server, with all its objects; resolves when nobody can ask for it any more. */
export async function uninstallDefinition(transport: Transport, name: string): Promise<void> {
  const stored = await transport.get(definitions, { name }).catch(unlessGone);
  if (stored === undefined) return;
  await transport.delete(definitions, { name }).catch(unlessGone);
  await eventually(async () => {
    const isThere = await transport.get(definitions, { name }).catch(unlessGone);
    return isThere === undefined && (await isUnknown(transport, resourceOf(stored)));
  });
}

/** A server that others run says nothing when it is done, so that it has to be asked again. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await systemClock.sleep(milliseconds(20));
}

/** For what may be gone already. */
export function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function unlessThere(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
}

/** The first version that is served. */
function resourceOf(definition: KubeObject): GroupVersionResource {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const versions = fieldAt(definition, "spec", "versions");
  const [first] = Array.isArray(versions) ? versions.filter((one) => fieldAt(one, "served") === true) : [];
  return {
    group: text(fieldAt(definition, "spec", "group")),
    version: text(fieldAt(first, "name")),
    resource: text(fieldAt(definition, "spec", "names", "plural")),
  };
}

function isEstablished(definition: KubeObject): boolean {
  const conditions = fieldAt(definition, "status", "conditions");
  const isTrue = (one: unknown) => fieldAt(one, "type") === "Established" && fieldAt(one, "status") === "True";
  return Array.isArray(conditions) && conditions.some(isTrue);
}

async function isDiscovered(
  transport: Transport,
  { group, version, resource }: GroupVersionResource,
): Promise<boolean> {
  const found = await transport.discover();
  return found.some((one) => one.group === group && one.version === version && one.resource === resource);
}

async function isUnknown(transport: Transport, resource: GroupVersionResource): Promise<boolean> {
  return (await transport.list(resource, { limit: 1 }).catch(unlessGone)) === undefined;
}
