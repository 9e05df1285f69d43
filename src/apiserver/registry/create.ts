import {
  alreadyExists,
  ApiError,
  badRequest,
  FieldPath,
  forbiddenRequest,
  generateName,
  invalidObject,
  type KubeObject,
  metadataWarnings,
  type ObjectMeta,
  required,
} from "#machinery";
import { mutated, validated } from "./admit.ts";
import { type BodyOptions, readBody } from "./body.ts";
import { commit } from "./commit.ts";
import type { Engine, Request } from "./engine.ts";
import { metadataProblems } from "./metadata-rules.ts";
import { withDistinctOwners } from "./owners.ts";
import { type Owners, tracked } from "./ownership.ts";
import type { Target } from "./resources.ts";
import { asKept } from "./versions.ts";

// Eight names out of fourteen million: whoever meets a ninth collision has other problems.
const mostNameTries = 8;

/** Creates an object: decode, prune, default, admit, validate, store. A caller can name the namespace for it. */
export async function createObject(
  engine: Engine,
  request: Request<BodyOptions>,
  body: unknown,
  home?: string,
): Promise<KubeObject> {
  const { target, options } = request;
  const sent = readBody(target, body, options);
  const read = home === undefined ? sent : movedTo(sent, home);
  const namespace = homeOf(target, read.metadata);
  if ((read.metadata.resourceVersion ?? "") !== "") throw versionGiven();
  return await createRead(engine, request, inHome(read, namespace));
}

/** Creates an object that has been read already. */
export async function createRead(
  engine: Engine,
  request: Request<BodyOptions>,
  read: KubeObject,
  owners: Owners = "to-be-tracked",
): Promise<KubeObject> {
  const { target, options } = request;
  const { namespace = "" } = read.metadata;
  const closed = target.definition.behaviour.refusesCreates?.();
  if (closed !== undefined) throw forbiddenRequest(target.definition, read.metadata.name ?? "", closed);
  const sent = withDistinctOwners(withoutSystemFields(read), options);
  const owned = owners === "known" ? sent : await tracked(engine, request, sent, undefined);
  const admittance = { operation: "CREATE", namespace, name: read.metadata.name ?? "", oldObject: undefined } as const;
  const changed = await mutated(engine, request, admittance, owned);
  if (changed !== owned) checkHome(target, namespace, changed);
  const admitted = withDistinctOwners(changed, options, "after-plugins");
  for (let tries = 1; ; tries += 1) {
    const object = prepared(engine, target, admitted);
    const name = object.metadata.name ?? "";
    validate(target, object);
    const clean = owners === "known" || changed !== owned ? target.version.schema.prune(object) : object;
    const kept = await asKept(target.definition, clean, options);
    await validated(engine, request, { ...admittance, name }, object);
    warnOf(target, object, options);
    if (target.collection.head(namespace, name) === undefined) {
      const write = { op: "create", namespace, name, object: kept, previous: undefined } as const;
      const created = await commit(engine, request, write);
      options.onCreated?.();
      return created;
    }
    if ((admitted.metadata.name ?? "") !== "") {
      // Whoever looks for it now has to find it.
      await engine.committer.caughtUp();
      throw alreadyExists(target.definition, name);
    }
    if (tries === mostNameTries) throw noFreeName(target, name);
  }
}

/** Plugins may change much, but not where an object lives. */
function checkHome({ definition }: Target, namespace: string, { metadata }: KubeObject): void {
  if (definition.namespaced && (metadata.namespace ?? namespace) !== namespace) throw elsewhere();
}

function elsewhere(): ApiError {
  return badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

/** An object in the namespace that the request names; one that names another is refused. */
function movedTo(object: KubeObject, namespace: string): KubeObject {
  const given = object.metadata.namespace ?? "";
  if (given === namespace) return object;
  if (given !== "") throw elsewhere();
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** The namespace that a new object is to live in; "" for kinds that live in none. */
function homeOf({ definition }: Target, { namespace = "" }: ObjectMeta): string {
  if (definition.namespaced) {
    if (namespace === "") throw badRequest("an empty namespace may not be set during creation");
    return namespace;
  }
  if (namespace !== "") throw elsewhere();
  return "";
}

function inHome(object: KubeObject, namespace: string): KubeObject {
  if (namespace !== "" || object.metadata.namespace === undefined) return object;
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Sets what only the server decides. */
function prepared(engine: Engine, target: Target, object: KubeObject): KubeObject {
  const { behaviour } = target.definition;
  const { metadata: given } = withoutSystemFields(object);
  const { name = "", generateName: base = "" } = given;
  const metadata: ObjectMeta = {
    ...given,
    ...(name === "" && base !== "" ? { name: generateName(base, engine.random) } : {}),
    ...(behaviour.countsGenerations ? { generation: 1 } : {}),
    uid: engine.uuid(),
    creationTimestamp: engine.clock.now(),
  };
  const stripped = target.version.subresources.status ? withoutStatus(object) : object;
  const whole = { ...stripped, metadata };
  return behaviour.prepareForCreate?.(whole) ?? whole;
}

/** What a new object says of itself that only the server can know. */
function withoutSystemFields(object: KubeObject): KubeObject {
  const {
    uid: _uid,
    creationTimestamp: _creationTimestamp,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _deletionGracePeriodSeconds,
    generation: _generation,
    ...metadata
  } = object.metadata;
  return { ...object, metadata };
}

/** Status is written through its own subresource, and only there. */
function withoutStatus(object: KubeObject): KubeObject {
  if (!Object.hasOwn(object, "status")) return object;
  const { status: _, ...rest } = object;
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

function validate(target: Target, object: KubeObject): void {
  const { definition, version } = target;
  const name = object.metadata.name ?? "";
  if (name === "") {
    throw invalidObject(definition, "", [
      required(FieldPath.of("metadata", "name"), "name or generateName is required"),
    ]);
  }
  const problems = [
    ...metadataProblems(definition, object.metadata),
    ...(definition.behaviour.validate?.(object) ?? []),
    ...version.schema.validate(object),
  ];
  if (problems.length > 0) throw invalidObject(definition, name, problems);
}

/** Tells the caller what is odd about an object that is otherwise fine. */
export function warnOf({ definition }: Target, object: KubeObject, { onWarning }: BodyOptions, old?: KubeObject): void {
  if (onWarning === undefined) return;
  const { finalizers = [] } = object.metadata;
  for (const text of metadataWarnings({ finalizers }, old?.metadata)) onWarning(text);
  for (const text of definition.behaviour.warnings?.(object) ?? []) onWarning(text);
}

function noFreeName({ definition }: Target, name: string): ApiError {
  const { status, message } = alreadyExists(definition, name);
  return new ApiError({
    httpCode: 409,
    reason: "AlreadyExists",
    message: `${message}, the server was not able to generate a unique name for the object`,
    details: { ...status.details, retryAfterSeconds: 1 },
  });
}

function versionGiven(): ApiError {
  return new ApiError({
    httpCode: 500,
    reason: "",
    message: "resourceVersion should not be set on objects to be created",
  });
}
