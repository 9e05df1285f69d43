import {
  applyConfiguration,
  applyUpdate,
  apiVersionOf,
  type KubeObject,
  objectTypeOf,
  type OwnershipWrite,
  resetFields,
  scaleType,
} from "#machinery";
import type { VersionDefinition } from "#apiserver/resources";
import type { BodyOptions } from "./body.ts";
import { type Engine, type Request, subresourceOf } from "./engine.ts";
import { acrossVersions } from "./owners-across-versions.ts";
import type { Target } from "./resources.ts";

/** Whether the owners of what a write sets are still to be found, or came with it. */
export type Owners = "to-be-tracked" | "known";

/** An object with the `managedFields` that it has after a create, update or patch. */
export function tracked(
  engine: Engine,
  request: Request<BodyOptions>,
  object: KubeObject,
  live: KubeObject | undefined,
): KubeObject | Promise<KubeObject> {
  const before = live ?? request.target.version.schema.blank?.();
  const write = writeOf(engine, request);
  return acrossVersions(request, (versions) => {
    const entries = applyUpdate({ ...write, versions, live: before, next: object });
    if (entries === object.metadata.managedFields) return object;
    if (entries !== undefined) return { ...object, metadata: { ...object.metadata, managedFields: entries } };
    const { managedFields: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  });
}

/** An object after a server-side apply; throws where other managers own what it would change. */
export function applied(
  engine: Engine,
  request: Request<BodyOptions & { readonly force?: boolean }>,
  configuration: KubeObject,
  live: KubeObject | undefined,
): KubeObject | Promise<KubeObject> {
  const { target, options } = request;
  const write = { ...writeOf(engine, request), kind: target.definition.kind, force: options.force === true };
  return acrossVersions(request, (versions) => {
    const result = applyConfiguration({ ...write, versions, configuration, live });
    if (result.kind === "conflicts") throw result.error;
    return result.object;
  });
}

/** A Scale with the `managedFields` that it has after an update or a patch of it. */
export function trackedScale(
  engine: Engine,
  { options }: Request<BodyOptions>,
  scale: KubeObject,
  live: KubeObject,
): KubeObject {
  const managedFields = applyUpdate({ ...scaleWriteOf(engine, options), live, next: scale });
  const { managedFields: _, ...metadata } = scale.metadata;
  return { ...scale, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } };
}

/** A Scale after a server-side apply. */
export function appliedScale(
  engine: Engine,
  { options }: Request<BodyOptions & { readonly force?: boolean }>,
  configuration: KubeObject,
  live: KubeObject,
): KubeObject {
  const force = options.force === true;
  const result = applyConfiguration({ ...scaleWriteOf(engine, options), kind: "Scale", configuration, live, force });
  if (result.kind === "conflicts") throw result.error;
  return result.object;
}

function scaleWriteOf({ clock }: Engine, options: BodyOptions): OwnershipWrite {
  return {
    manager: managerOf(options),
    apiVersion: "autoscaling/v1",
    subresource: "scale",
    now: clock.now(),
    type: scaleType,
  };
}

function writeOf(engine: Engine, { target, options }: Request<BodyOptions>): OwnershipWrite {
  const subresource = subresourceOf(options);
  return {
    ...kindOf(target),
    manager: managerOf(options),
    subresource,
    now: engine.clock.now(),
    reset: resetFields({ subresource, hasStatus: target.version.subresources.status }),
  };
}

function managerOf({ fieldManager, defaultManager }: BodyOptions): string {
  return fieldManager ?? defaultManager ?? "unknown";
}

/** What every write to a version of a resource says about its objects. */
type WrittenKind = Pick<OwnershipWrite, "apiVersion" | "type">;

const kinds = new WeakMap<VersionDefinition, WrittenKind>();

function kindOf({ definition, version }: Target): WrittenKind {
  const known = kinds.get(version);
  if (known !== undefined) return known;
  const kind = {
    apiVersion: apiVersionOf({ group: definition.group, version: version.version }),
    type: objectTypeOf(version.structure),
  };
  kinds.set(version, kind);
  return kind;
}
