import { ApiError, apiVersionOf, internalError, isJsonObject, type Json, type KubeObject } from "#machinery";
import type { Guise, Versions } from "#apiserver/admission";
import { resourceOf, storageOf } from "#apiserver/resources";
import { cannotBeHandled, checkBody } from "./body.ts";
import { isCustom, type Resources, type Target } from "./resources.ts";
import { oneShownIn } from "./versions.ts";

const scale = { group: "autoscaling", version: "v1", kind: "Scale" };

/** The versions of resources, as webhooks see them. */
export function guisesOf(resources: Resources): Versions {
  return {
    others(resource, subresource) {
      const own = resources.find(resource);
      if (own === undefined) return [];
      const kept = storageOf(own.definition);
      const alike = [...resources.all()].filter(({ definition }) => {
        const other = storageOf(definition);
        return other.group === kept.group && other.resource === kept.resource;
      });
      return alike
        .flatMap(({ definition }) =>
          definition.versions
            .filter(({ served }) => served)
            .map(({ version }): Guise => {
              const kind = { group: definition.group, version, kind: definition.kind };
              return { resource: resourceOf(definition, version), kind: subresource === "scale" ? scale : kind };
            }),
        )
        .filter((guise) => apiVersionOf(guise.resource) !== apiVersionOf(resource));
    },
    async convert(object, to) {
      if (object.apiVersion === apiVersionOf(to.kind)) return object;
      try {
        return await oneShownIn(resources.target(to.resource), object);
      } catch (error) {
        throw error instanceof ApiError && error.httpCode === 500 ? internalError(error.message) : error;
      }
    },
    read(document, as) {
      const served = resources.find(as.resource);
      // A part of an object, or what is not kept at all, is read by whoever answers for it.
      if (served?.definition.kind !== as.kind.kind) return partIn(document, as);
      return objectIn(resources.target(as.resource), document);
    },
    subscribe: (listener) => void resources.subscribe(listener),
  };
}

function objectIn(target: Target, document: Json): KubeObject {
  const { schema } = target.version;
  try {
    // Who takes away the name of a kind has not made another one of it.
    const named = isJsonObject(document) ? { ...headOf(target), ...document } : document;
    const object = checkBody(target, named);
    return schema.applyDefaults(isCustom(target) ? object : schema.prune(object));
  } catch (error) {
    const beginning = `${cannotBeHandled(target)}: `;
    if (!(error instanceof ApiError) || !error.message.startsWith(beginning)) throw error;
    throw internalError(error.message.slice(beginning.length));
  }
}

function headOf({ definition, version }: Target) {
  return { apiVersion: apiVersionOf({ group: definition.group, version: version.version }), kind: definition.kind };
}

function partIn(document: Json, { kind }: Guise): KubeObject {
  const metadata = isJsonObject(document) ? (document["metadata"] ?? {}) : undefined;
  if (!isJsonObject(document) || !isJsonObject(metadata)) {
    throw internalError(`json: cannot unmarshal into Go value of type ${kind.version}.${kind.kind}`);
  }
  return { ...document, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
}
