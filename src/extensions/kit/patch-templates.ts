import type { DevClusterTemplate, DevMachineTemplate } from "#api";
import {
  asJson,
  deepClone,
  encodeJson,
  isJsonObject,
  type Json,
  type KubeObject,
  mergePatchBetween,
  parseGroupVersion,
} from "#machinery";
import type { RequestOf, ResponseOf } from "../catalog/hook.ts";
import type { GeneratePatches } from "../catalog/topology-hooks.ts";
import type { Answer } from "./answers.ts";
import type { Variables, VariableValue } from "./variables.ts";

/** Data in the making. */
type Draft<T> = unknown extends T
  ? T
  : T extends string | number | bigint | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? Draft<Item>[]
      : { -readonly [Name in keyof T]: Draft<T[Name]> };

/** Templates whose shape this package knows; all others are plain objects. */
interface KnownTemplates {
  readonly DevClusterTemplate: DevClusterTemplate;
  readonly DevMachineTemplate: DevMachineTemplate;
}

/** A template of a kind, ready to be changed. */
export type TemplateDraft<Kind extends string> = Kind extends keyof KnownTemplates
  ? Draft<KnownTemplates[Kind]>
  : Draft<KubeObject>;

type PatchRequest = RequestOf<typeof GeneratePatches>;
type PatchItem = PatchRequest["items"][number];

/** What is known of a template besides the variables. */
export interface TemplateContext {
  /** The object that uses the template. */
  readonly holder: PatchItem["holderReference"];
}

/** Changes to templates by their kind: `DevMachineTemplate`, or with its group where the kind alone is not clear. */
export type TemplateChanges<Kind extends string, Values> = {
  readonly [K in Kind]: (template: TemplateDraft<K>, variables: Values, context: TemplateContext) => void;
};

/**
 * Answers GeneratePatches: each template is handed to the change for its kind, and what that changed becomes a patch.
 * Variables of a template win over those of all templates.
 */
export function patchTemplates<Kind extends string, Values = { readonly [name: string]: Json }>(
  request: PatchRequest,
  changes: TemplateChanges<Kind, NoInfer<Values>>,
  { variables }: { readonly variables?: Variables<Values> } = {},
): Answer<ResponseOf<typeof GeneratePatches>> {
  return {
    items: request.items.flatMap(({ uid, object, holderReference, variables: own = [] }) => {
      const change = changeFor(object, changes);
      if (change === undefined) return [];
      const draft = deepClone(object);
      const values = valuesOf([...(request.variables ?? []), ...own], variables);
      change(draft, values, { holder: holderReference });
      const patch = mergePatchBetween(asJson(object), asJson(draft));
      if (Object.keys(patch).length === 0) return [];
      return [{ uid, patchType: "JSONMergePatch", patch: Buffer.from(encodeJson(patch)).toString("base64") }];
    }),
  };
}

/** Sets a field of a template whose shape is not known, making the objects on the way. */
export function setField(template: { readonly [field: string]: unknown }, path: readonly string[], value: Json): void {
  const [field, ...rest] = path;
  if (field === undefined) return;
  if (rest.length === 0) {
    Reflect.set(template, field, value);
    return;
  }
  const inner: unknown = Reflect.get(template, field);
  const object: { readonly [field: string]: unknown } = isJsonObject(inner) ? inner : {};
  Reflect.set(template, field, object);
  setField(object, rest, value);
}

type AnyChange<Values> = (template: KubeObject, variables: Values, context: TemplateContext) => void;

function changeFor<Kind extends string, Values>(
  { apiVersion, kind }: KubeObject,
  changes: TemplateChanges<Kind, Values>,
): AnyChange<Values> | undefined {
  const { group } = parseGroupVersion(apiVersion);
  const found = Object.entries(changes).find(([name]) => name === kind || name === `${kind}.${group}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a change is only handed templates of its own kind
  return found?.[1] as AnyChange<Values> | undefined;
}

/** The values by name; of those without definitions nothing more is known than that they are JSON. */
function valuesOf<Values>(values: readonly VariableValue[], variables: Variables<Values> | undefined): Values {
  if (variables !== undefined) return variables.read(values);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- where there are no definitions, Values is any JSON by name
  return Object.fromEntries(values.map(({ name, value }) => [name, value])) as Values;
}
