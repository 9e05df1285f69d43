import type { CustomResourceDefinition, DefinitionConversion, DefinitionSpec, DefinitionStatus } from "./definition.ts";

/** A definition with everything filled in that its author may leave out. */
export function defaultDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec, status } = definition;
  const filled = { ...definition, spec: withDefaults(spec) };
  const stored = status?.storedVersions ?? [];
  const storage = storageVersion(spec);
  if (stored.length > 0 || storage === undefined) return filled;
  return { ...filled, status: { ...status, storedVersions: [storage] } };
}

/** A definition as it is stored on create: its status is the server's, and says which version objects are stored in. */
export function definitionToCreate(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { status: _, ...rest } = definition;
  return { ...rest, spec: definition.spec, status: withStorageVersion({}, definition.spec) };
}

/** A definition as it is stored on update: the status stays, except that a new storage version joins it. */
export function definitionToUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
): CustomResourceDefinition {
  return { ...definition, status: withStorageVersion(old.status ?? {}, definition.spec) };
}

/** The version that objects are stored in; undefined where none is marked. */
export function storageVersion({ versions }: DefinitionSpec): string | undefined {
  return versions.find(({ storage }) => storage)?.name;
}

function withDefaults(spec: DefinitionSpec): DefinitionSpec {
  const { names, conversion = { strategy: "None" } } = spec;
  const { kind, singular = "", listKind = "" } = names;
  return {
    ...spec,
    names: {
      ...names,
      singular: singular === "" ? kind.toLowerCase() : singular,
      ...(listKind === "" && kind !== "" ? { listKind: `${kind}List` } : {}),
    },
    conversion: withPort(conversion),
  };
}

function withPort(conversion: DefinitionConversion): DefinitionConversion {
  const { webhook } = conversion;
  const service = webhook?.clientConfig?.service;
  if (webhook === undefined || service === undefined || service.port !== undefined) return conversion;
  const clientConfig = { ...webhook.clientConfig, service: { ...service, port: 443 } };
  return { ...conversion, webhook: { ...webhook, clientConfig } };
}

function withStorageVersion(status: DefinitionStatus, spec: DefinitionSpec): DefinitionStatus {
  const { storedVersions = [] } = status;
  const storage = storageVersion(spec);
  if (storage === undefined || storedVersions.includes(storage)) return status;
  return { ...status, storedVersions: [...storedVersions, storage] };
}
