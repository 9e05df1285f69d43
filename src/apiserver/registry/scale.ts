import {
  fieldAt,
  invalid,
  invalidObject,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  type ObjectKey,
  type Patch,
} from "#machinery";
import type { ScalePaths } from "#apiserver/resources";
import { noSuchResource, type Target } from "./resources.ts";
import type { BodyOptions } from "./body.ts";
import type { Engine, Request } from "./engine.ts";
import { patchedDocument } from "./patch.ts";
import { rewriteObject } from "./rewrite.ts";

/** How many replicas an object wants and has, as `autoscaling/v1` shows it. */
export function scaleOf(target: Target, object: KubeObject): KubeObject {
  const paths = pathsOf(target);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = numberAt(object, paths.specReplicasPath);
  const selector = paths.labelSelectorPath === undefined ? undefined : valueAt(object, paths.labelSelectorPath);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, paths.statusReplicasPath),
      ...(typeof selector === "string" && selector !== "" ? { selector } : {}),
    },
  };
}

/** Sets the number of wanted replicas, by a whole Scale or by a patch of one. */
export async function rescale(
  engine: Engine,
  request: Request<BodyOptions>,
  { namespace = "", name }: ObjectKey,
  change: { readonly kind: "replace"; readonly scale: unknown } | { readonly kind: "patch"; readonly patch: Patch },
): Promise<KubeObject> {
  const { target } = request;
  const paths = pathsOf(target);
  const written = await rewriteObject(engine, request, {
    namespace,
    name,
    next: (old) => {
      const scale = change.kind === "replace" ? change.scale : patchedDocument({}, scaleOf(target, old), change.patch);
      const version = fieldAt(scale, "metadata", "resourceVersion");
      const replicas = wantedReplicas(target, paths, name, scale);
      const metadata = {
        ...old.metadata,
        ...(typeof version === "string" && version !== "" ? { resourceVersion: version } : {}),
      };
      return withValueAt({ ...old, metadata }, segments(paths.specReplicasPath), replicas);
    },
  });
  return scaleOf(target, written);
}

function pathsOf({ version }: Target): ScalePaths {
  const { scale } = version.subresources;
  if (scale === undefined) throw noSuchResource();
  return scale;
}

function wantedReplicas(
  { definition }: Target,
  { specReplicasPath }: ScalePaths,
  name: string,
  scale: unknown,
): number {
  const replicas = fieldAt(scale, "spec", "replicas") ?? 0;
  if (typeof replicas === "number" && Number.isInteger(replicas) && replicas >= 0) return replicas;
  const given = typeof replicas === "number" || typeof replicas === "string" ? replicas : 0;
  throw invalidObject(definition, name, [invalid(specReplicasPath, given, "should be a non-negative integer")]);
}

function segments(path: string): readonly string[] {
  return path.split(".").filter((segment) => segment !== "");
}

function valueAt(object: KubeObject, path: string): unknown {
  return fieldAt(object, ...segments(path));
}

function numberAt(object: KubeObject, path: string): number {
  const value = valueAt(object, path);
  return typeof value === "number" ? value : 0;
}

function withValueAt<T extends object>(object: T, [first, ...rest]: readonly string[], value: number): T {
  if (first === undefined) return object;
  if (rest.length === 0) return { ...object, [first]: value };
  const inner: unknown = Reflect.get(object, first);
  const next: JsonObject = isJsonObject(inner) ? inner : {};
  return { ...object, [first]: withValueAt(next, rest, value) };
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exactly the entries without a value are dropped
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
