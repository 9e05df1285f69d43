import { builtinKinds, builtinSchema } from "#apiserver/builtin";
import type { Caller } from "#apiserver/admission";
import {
  apiVersionOf,
  badRequest,
  fieldAt,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from "#machinery";

/** A resource, or a part of one, that is answered and not kept: reviews, token requests. */
export interface AnsweredResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** `token` of a service account; empty for a resource of its own. */
  readonly subresource: string;
  readonly namespaced: boolean;
  /** The kind of what is sent and answered. */
  readonly kind: string;
  /** The group in which that kind lives, in version v1. */
  readonly kindGroup: string;
  /** Answers what was posted; throws an ApiError to refuse it. */
  create(question: Question): Promise<KubeObject>;
}

/** What somebody posts to be answered. */
export interface Question {
  readonly caller: Caller;
  /** Empty for what lives in no namespace, as is the name for a resource of its own. */
  readonly namespace: string;
  readonly name: string;
  readonly body: KubeObject;
  readonly dryRun: boolean;
}

/** Makes a resource of a function: the body comes to it checked, pruned, with defaults, and in its namespace. */
export function answeredResource(
  about: Pick<AnsweredResource, "group" | "version" | "resource" | "kind"> & {
    readonly subresource?: string;
    readonly namespaced?: boolean;
    /** Where the kind lives, if not in the group of the resource. */
    readonly kindIn?: string;
  },
  answer: (question: Question) => KubeObject | Promise<KubeObject>,
): AnsweredResource {
  const { group, version, resource, kind, subresource = "", namespaced = false, kindIn = group } = about;
  const apiVersion = apiVersionOf({ group: kindIn, version: "v1" });
  return {
    group,
    version,
    resource,
    kind,
    kindGroup: kindIn,
    subresource,
    namespaced,
    create: async (question) => {
      const read = readBody(question.body, { kind, apiVersion, type: typeOf(group, resource, subresource) });
      return await answer({ ...question, body: inNamespace(read, question.namespace) });
    },
  };
}

/** A part of an object that is itself an object; empty where it is none. */
export function objectIn(value: unknown, field: string): JsonObject {
  const part = fieldAt(value, field);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of an object of the API are JSON
  const json = part as Json | undefined;
  return isJsonObject(json) ? json : {};
}

/** The text of a field; empty where there is none. */
export function textIn(value: unknown, field: string): string {
  const text = fieldAt(value, field);
  return typeof text === "string" ? text : "";
}

interface Expected {
  readonly kind: string;
  readonly apiVersion: string;
  readonly type: string;
}

function readBody(body: KubeObject, { kind, apiVersion, type }: Expected): KubeObject {
  const given = { apiVersion: textIn(body, "apiVersion"), kind: textIn(body, "kind") };
  const isOther = (given.kind !== "" && given.kind !== kind) || !["", apiVersion].includes(given.apiVersion);
  if (isOther) {
    const version = given.apiVersion.split("/").at(-1) ?? "";
    const what = `${given.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
    const why = `no kind ${JSON.stringify(given.kind)} is registered for version ${JSON.stringify(given.apiVersion)}`;
    throw badRequest(`${what}: ${why}`);
  }
  const schema = builtinSchema(type);
  return schema.applyDefaults(schema.prune({ ...body, apiVersion, kind, metadata: body.metadata ?? {} }));
}

/** The name of the type in the table of types. */
function typeOf(group: string, resource: string, subresource: string): string {
  const owner = builtinKinds().find((each) => each.group === group && each.resource === resource);
  const part = owner?.subresources?.find(({ name }) => name === subresource);
  const type = subresource === "" ? owner?.type : part?.type;
  if (type === undefined) throw new TypeError(`there is no built-in ${resource}/${subresource} in group "${group}"`);
  return type;
}

function inNamespace(object: KubeObject, namespace: string): KubeObject {
  const { namespace: given = "", ...metadata } = object.metadata;
  if (namespace === "") return { ...object, metadata };
  if (given !== "" && given !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return { ...object, metadata: { ...metadata, namespace } };
}
