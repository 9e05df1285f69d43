import { ClusterClass, defaultFeatureGates, type FeatureGates, groups } from "#api";
import { compileRules } from "#cel";
import {
  apiVersionOf,
  compileSchema,
  decodeMetadata,
  describeFieldProblem,
  type FieldError,
  fieldAt,
  FieldPath,
  forbidden,
  InvalidMetadataError,
  isJsonObject,
  type Json,
  type JsonObject,
  kindOf,
  type KubeObject,
  validateMetadata,
} from "#machinery";
import { validateDefinitions, variableRules } from "#topology";
import { clusterClassWebhook, type Lookups } from "#webhooks";
import { stepsTo } from "./field-place.ts";

/** One thing wrong with a class. */
export interface ClassProblem {
  /** The printed path of the field. */
  readonly field: string;
  readonly problem: string;
}

/** True for an object that says that it is a ClusterClass, in whatever version, even if it does not say in which. */
export function isClass(value: Json): value is JsonObject {
  if (!isJsonObject(value) || value["kind"] !== ClusterClass.kind) return false;
  const { apiVersion } = value;
  return typeof apiVersion !== "string" || kindOf({ apiVersion }).group === groups.core;
}

/** Everything wrong with a class: what its schema says, what is checked when it is written, and its variables. */
export async function lintClass(value: JsonObject): Promise<readonly ClassProblem[]> {
  const checked = apiVersionOf(ClusterClass);
  if (value["apiVersion"] !== checked) return [{ field: "apiVersion", problem: `only ${checked} is checked` }];
  const pruned = schema().prune(value);
  const unknown = schema()
    .unknownFields(value)
    .map((field) => ({ field, problem: "unknown field" }));
  const whole = schema().applyDefaults(pruned);
  const shape = schema().validate(whole);
  const errors = shape.length > 0 ? withVariables(shape, whole) : await contentErrors(whole);
  const described = errors.map((error) => ({ field: error.field, problem: describeFieldProblem(error) }));
  return [...metadataProblems(value["metadata"]), ...unknown, ...described];
}

/** What is wrong with metadata, of which the schema only says that it is an object; kubectl fills in a namespace. */
function metadataProblems(value: Json | undefined): readonly ClassProblem[] {
  if (value !== undefined && !isJsonObject(value)) return [];
  try {
    const { metadata, unknownFields } = decodeMetadata(value);
    const errors = validateMetadata({ namespace: "default", ...metadata }, { namespaced: true });
    return [
      ...unknownFields.map((field) => ({ field, problem: "unknown field" })),
      ...errors.map((error) => ({ field: error.field, problem: describeFieldProblem(error) })),
    ];
  } catch (error) {
    if (!(error instanceof InvalidMetadataError)) throw error;
    return [{ field: "metadata", problem: error.message }];
  }
}

/** What is wrong with a class that fits its schema. */
async function contentErrors(value: Json): Promise<readonly FieldError[]> {
  const object = asObject(value);
  if (object === undefined || !ClusterClass.is(object)) return [forbidden(FieldPath.root, "is no ClusterClass")];
  return [...rules().validate(value), ...(await clusterClassWebhook.validate(undefined, object, lookups))];
}

/** Variables are checked whatever else is wrong; of two errors about one field theirs says more. */
function withVariables(shape: readonly FieldError[], value: Json): readonly FieldError[] {
  const own = variableErrors(value);
  const places = new Set(own.map(({ field }) => JSON.stringify(stepsTo(field, value))));
  return [...shape.filter(({ field }) => !places.has(JSON.stringify(stepsTo(field, value)))), ...own];
}

function variableErrors(value: Json): readonly FieldError[] {
  const variables = fieldAt(value, "spec", "variables");
  const objects = Array.isArray(variables) ? variables.filter(isJsonObject) : [];
  const named = objects.filter((variable) => typeof variable["name"] === "string");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has a name, and validateDefinitions trusts nothing else
  return validateDefinitions(named as readonly JsonObject[] as never, FieldPath.of("spec", "variables"));
}

// Whoever writes a class may mean it for any plane.
const everyGate: FeatureGates = {
  ...defaultFeatureGates,
  ClusterTopology: true,
  RuntimeSDK: true,
  MachineTaintPropagation: true,
  InPlaceUpdates: true,
};

/** A world in which nobody uses the class yet. */
const lookups: Lookups = {
  gates: everyGate,
  clusterClass: () => Promise.resolve(undefined),
  clustersUsing: () => Promise.resolve([]),
  upgradeBlockers: () => Promise.resolve([]),
  variables: variableRules,
};

const schema = lazily(() => compileSchema(ClusterClass.schema()));
const rules = lazily(() => compileRules(ClusterClass.schema()));

function asObject(value: Json): KubeObject | undefined {
  if (!isJsonObject(value) || !isJsonObject(value["metadata"])) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema was checked
  return value as unknown as KubeObject;
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
