import {
  apiVersionOf,
  asJson,
  badRequest,
  compileLabelSelector,
  encodeJson,
  fieldAt,
  FieldPath,
  invalid,
  internalError,
  invalidObject,
  isJsonObject,
  type KubeObject,
  type ObjectKey,
  parentEntries,
  type Patch,
  printLabelSelector,
  readScale,
  type ReplicasPaths,
  scaleEntries,
  withReplicas,
} from "#machinery";
import type { ScalePaths } from "#apiserver/resources";
import type { Extract } from "./admit.ts";
import type { BodyOptions } from "./body.ts";
import type { Engine, Request } from "./engine.ts";
import { appliedScale, trackedScale } from "./ownership.ts";
import { patchedDocument } from "./patch.ts";
import { isCustom, noSuchResource, type Target } from "./resources.ts";
import { rewriteObject } from "./rewrite.ts";

/** The Scale of an object for who asks for it; a custom resource has none until its wanted replicas are set. */
export function shownScale(target: Target, object: KubeObject): KubeObject {
  const { specReplicasPath } = pathsOf(target);
  if (isCustom(target) && fieldAt(object, ...segments(specReplicasPath)) === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`);
  }
  return scaleOf(target, object);
}

/** How many replicas an object wants and has, as `autoscaling/v1` shows it. */
export function scaleOf(target: Target, object: KubeObject): KubeObject {
  const paths = pathsOf(target);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { specReplicas = 0, statusReplicas = 0 } = readScale(asJson(object), paths);
  const selector = selectorOf(object, paths);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: specReplicas === 0 ? {} : { replicas: specReplicas },
    status: { replicas: statusReplicas, ...(selector === "" ? {} : { selector }) },
  };
}

/** A new scale of an object. */
export type Rescaling =
  | { readonly kind: "replace"; readonly scale: unknown }
  | { readonly kind: "patch"; readonly patch: Patch }
  | { readonly kind: "apply"; readonly configuration: unknown };

/** Sets the number of wanted replicas, by a whole Scale, by a patch of one, or by apply. */
export async function rescale(
  engine: Engine,
  request: Request<BodyOptions>,
  { namespace = "", name }: ObjectKey,
  change: Rescaling,
): Promise<KubeObject> {
  const { target } = request;
  const next = (old: KubeObject): KubeObject => {
    const scale = rescaled(engine, request, liveScale(target, old), change);
    const { resourceVersion = "", managedFields = [] } = scale.metadata;
    const replicas = Number(fieldAt(scale, "spec", "replicas") ?? 0);
    const { managedFields: before = [], ...metadata } = old.metadata;
    const owners = parentEntries(before, managedFields, {
      apiVersion: apiVersionOf({ group: target.definition.group, version: target.version.version }),
      replicas: replicasPaths(target),
    });
    return {
      ...old,
      ...withReplicas(asJson(old), replicas, pathsOf(target)),
      metadata: {
        ...metadata,
        ...(resourceVersion === "" ? {} : { resourceVersion }),
        ...(owners === undefined ? {} : { managedFields: owners }),
      },
    };
  };
  const rewrite = { namespace, name, next, owners: "known", extract: scaleExtract(target) } as const;
  return scaleOf(target, await rewriteObject(engine, request, rewrite));
}

/** Plugins see the Scale, and what they make of it is what the object wants. */
function scaleExtract(target: Target): Extract {
  return {
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    of: (object) => scaleOf(target, object),
    into: (object, scale) => ({
      ...object,
      ...withReplicas(asJson(object), Number(fieldAt(scale, "spec", "replicas") ?? 0), pathsOf(target)),
      metadata: object.metadata,
    }),
  };
}

/** The scale with those who own it, which no caller is shown. */
function liveScale(target: Target, object: KubeObject): KubeObject {
  const scale = scaleOf(target, object);
  const managedFields = scaleEntries(object.metadata.managedFields ?? [], replicasPaths(target));
  return managedFields === undefined ? scale : { ...scale, metadata: { ...scale.metadata, managedFields } };
}

function rescaled(engine: Engine, request: Request<BodyOptions>, live: KubeObject, change: Rescaling): KubeObject {
  switch (change.kind) {
    case "apply":
      return appliedScale(engine, request, checked(request.target, change.configuration, readAsSent), live);
    case "replace":
      return trackedScale(engine, request, checked(request.target, change.scale, readAsSent), live);
    case "patch": {
      const document = patchedDocument({}, live, change.patch);
      return trackedScale(engine, request, checked(request.target, document, readAsPatched), live);
    }
  }
}

type Refuse = (why: string, scale: unknown) => Error;

const readAsSent: Refuse = (why) => badRequest(`Scale in version "v1" cannot be handled as a Scale: ${why}`);

const readAsPatched: Refuse = (why, scale) =>
  invalidObject({ group: "", kind: "" }, "", [
    invalid(FieldPath.of("patch"), isJsonObject(scale) ? encodeJson(scale) : "", why),
  ]);

/** A Scale of the right shape. */
function checked(target: Target, scale: unknown, refuse: Refuse): KubeObject {
  if (!isJsonObject(scale) || scale["kind"] !== "Scale" || scale["apiVersion"] !== "autoscaling/v1") {
    throw refuse("expected a Scale of autoscaling/v1", scale);
  }
  const [metadata = {}, spec = {}] = [scale["metadata"], scale["spec"]];
  if (!isJsonObject(metadata)) throw refuse("json: cannot unmarshal into Go value of type v1.ObjectMeta", scale);
  if (!isJsonObject(spec)) throw refuse("json: cannot unmarshal into Go value of type v1.ScaleSpec", scale);
  const { replicas = 0 } = spec;
  if (typeof replicas !== "number" || !Number.isInteger(replicas)) {
    const type = typeof replicas === "string" ? "string" : typeof replicas === "number" ? "number" : "object";
    throw refuse(`json: cannot unmarshal ${type} into Go struct field ScaleSpec.spec.replicas of type int32`, scale);
  }
  if (replicas < 0 && !isCustom(target)) {
    const problem = invalid(FieldPath.of("spec", "replicas"), replicas, "must be greater than or equal to 0");
    const { name } = metadata;
    throw invalidObject({ group: "autoscaling", kind: "Scale" }, typeof name === "string" ? name : "", [problem]);
  }
  return { ...scale, apiVersion: "autoscaling/v1", kind: "Scale", metadata };
}

function pathsOf({ version }: Target): ScalePaths {
  const { scale } = version.subresources;
  if (scale === undefined) throw noSuchResource();
  return scale;
}

/** Where each version keeps its replicas. */
function replicasPaths({ definition }: Target): ReplicasPaths {
  return new Map(
    definition.versions.map(({ version, subresources }) => [
      apiVersionOf({ group: definition.group, version }),
      subresources.scale && segments(subresources.scale.specReplicasPath).map((step) => `f:${step}` as const),
    ]),
  );
}

/** Custom resources keep it as a text, workloads as the selector itself. */
function selectorOf(object: KubeObject, { labelSelectorPath }: ScalePaths): string {
  if (labelSelectorPath === undefined) return "";
  const selector = fieldAt(object, ...segments(labelSelectorPath));
  if (typeof selector === "string") return selector;
  return isJsonObject(selector) ? printLabelSelector(compileLabelSelector(selector)) : "";
}

function segments(path: string): readonly string[] {
  return path.split(".").filter((segment) => segment !== "");
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exactly the entries without a value are dropped
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
