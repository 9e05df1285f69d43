import { asJson, badRequest, type JsonObject, kindOf, type KubeObject } from "#machinery";
import type { ObjectSchema } from "#apiserver/resources";
import { applyTypeDefaults } from "./defaults/type-defaults.ts";
import { readObject, zeroObject } from "./types/read-object.ts";
import { WireMismatchError } from "./types/scalar.ts";
import { wireType } from "./types/wire-type.ts";

/**
 * The schema of a built-in type. A value of the wrong type is a bad request, as on the real server, and not a problem of
 * validation; what else is wrong with an object is found by the behaviour of its kind.
 */
export function builtinSchema(typeName: string): ObjectSchema {
  return {
    prune(object, { onUnknown } = {}) {
      try {
        return asObject(readObject(wireType(typeName), asJson(object), onUnknown));
      } catch (error) {
        if (!(error instanceof WireMismatchError)) throw error;
        const { kind, version } = kindOf(object);
        const refusal = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
        throw badRequest(`${refusal}: ${error.message}`);
      }
    },
    applyDefaults: (object) => asObject(applyTypeDefaults(wireType(typeName), asJson(object))),
    blank: () => asObject({ metadata: {}, ...zeroObject(wireType(typeName)) }),
    validate: () => [],
  };
}

function asObject(json: JsonObject): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- reading and defaulting keep apiVersion, kind and metadata
  return json as unknown as KubeObject;
}
