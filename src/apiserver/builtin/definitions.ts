import { describeGroupResource, type KubeObject } from "#machinery";
import type { Conversion, ResourceBehaviour, ResourceDefinition, VersionDefinition } from "#apiserver/resources";
import { type KindRules, ordinary } from "./behaviour/kind-rules.ts";
import { rulesByResource } from "./behaviour/rules-by-resource.ts";
import { autoscalerConversion } from "./autoscaler-conversion.ts";
import { type BuiltinKind, builtinKinds, isStored } from "./builtin-kind.ts";
import { builtinSchema } from "./builtin-schema.ts";
import { applyTypeDefaults } from "./defaults/type-defaults.ts";
import { eventConversion } from "./event-conversion.ts";
import { zeroObject } from "./types/read-object.ts";
import { structureOf } from "./types/structure.ts";
import { wireType } from "./types/wire-type.ts";

let definitions: readonly ResourceDefinition[] | undefined;

/** Every built-in kind that is kept; types are read when the first object of them comes. */
export function builtinDefinitions(): readonly ResourceDefinition[] {
  return (definitions ??= resources().map(define));
}

/** The stored kinds, with the versions of one resource together. */
function resources(): readonly (readonly [BuiltinKind, ...BuiltinKind[]])[] {
  const byResource = new Map<string, [BuiltinKind, ...BuiltinKind[]]>();
  for (const kind of builtinKinds().filter(isStored)) {
    const name = describeGroupResource(kind);
    const others = byResource.get(name);
    if (others === undefined) byResource.set(name, [kind]);
    else others.push(kind);
  }
  return [...byResource.values()];
}

function define(kinds: readonly [BuiltinKind, ...BuiltinKind[]]): ResourceDefinition {
  const [preferred] = kinds;
  const name = describeGroupResource(preferred);
  const rules = rulesByResource[name] ?? {};
  return {
    group: preferred.group,
    kind: preferred.kind,
    resource: preferred.resource,
    singular: preferred.singular,
    listKind: `${preferred.kind}List`,
    shortNames: preferred.shortNames ?? [],
    categories: preferred.categories ?? [],
    namespaced: preferred.namespaced,
    versions: kinds.map((kind) => defineVersion(kind, rules)),
    storageVersion: preferred.version,
    ...(name === "events.events.k8s.io" ? { storedAs: { group: "", version: "v1", resource: "events" } } : {}),
    conversion: conversions[name] ?? { kind: "none" },
    behaviour: behaviourOf(preferred, rules),
  };
}

function defineVersion(
  kind: BuiltinKind,
  { selectableFields = [], scale, deprecationWarning }: KindRules,
): VersionDefinition {
  return {
    version: kind.version,
    served: true,
    schema: builtinSchema(kind.type),
    get structure() {
      return structureOf(kind.type);
    },
    subresources: {
      status: hasStatus(kind),
      ...((kind.subresources ?? []).some(({ name }) => name === "finalize") ? { finalize: true } : {}),
      ...((kind.subresources ?? []).some(({ name }) => name === "approval") ? { approval: true } : {}),
      ...(scale === undefined ? {} : { scale }),
    },
    selectableFields,
    // Built-in kinds print themselves; see print/.
    printerColumns: [],
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
  };
}

const shownWhenDeleted: ReadonlySet<string> = new Set([
  "persistentvolumeclaims",
  "persistentvolumes",
  "pods",
  "podtemplates",
  "resourcequotas",
  "serviceaccounts",
  "services",
]);

/** A new object begins with the status that its type has when nothing has happened yet. */
function behaviourOf(kind: BuiltinKind, { behaviour }: KindRules): ResourceBehaviour {
  const prepare = behaviour?.prepareForCreate;
  const prepareForCreate = (object: KubeObject): KubeObject => {
    const fresh = hasStatus(kind) ? withNewStatus(kind, object) : object;
    return prepare?.(fresh) ?? fresh;
  };
  const deleted =
    kind.group === "" && shownWhenDeleted.has(kind.resource) ? ({ answersWithDeleted: true } as const) : {};
  return { ...ordinary, ...behaviour, ...deleted, prepareForCreate };
}

function withNewStatus(kind: BuiltinKind, object: KubeObject): KubeObject {
  const type = wireType(kind.type);
  const { status } = applyTypeDefaults(type, zeroObject(type));
  return status === undefined ? object : { ...object, status };
}

function hasStatus({ subresources = [] }: BuiltinKind): boolean {
  return subresources.some(({ name }) => name === "status");
}

const conversions: Readonly<Record<string, Conversion>> = {
  events: eventConversion,
  "horizontalpodautoscalers.autoscaling": autoscalerConversion,
  "events.events.k8s.io": eventConversion,
};
