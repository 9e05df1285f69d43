import type { JsonSchema, ValidationRule } from "#machinery";
import { everyVersion, kubernetesEnvironment } from "../kubernetes.ts";
import { type CompiledRule, compileRule } from "./compile-rule.ts";
import { type DeclaredType, declareType } from "./declared-type.ts";
import { escapeName } from "./escape.ts";
import { type Reader, readerOf } from "./schema-value.ts";
import { StructFields } from "./struct-fields.ts";
import { isEmbedded, itemsOf, sortedProperties, valuesOf } from "./structure.ts";

/** The rules of one place in a schema and of the places below it. */
export interface RuleNode {
  readonly schema: JsonSchema;
  /** Compiled when first needed. */
  readonly rules: () => NodeRules;
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: readonly (readonly [string, RuleNode])[];
  readonly allOf: readonly RuleNode[];
}

/** The compiled rules of a node and what turns its values into theirs, or why there is nothing to run. */
export type NodeRules =
  | { readonly kind: "compiled"; readonly rules: readonly CompiledRule[]; readonly read: Reader }
  | { readonly kind: "refused"; readonly problem: string };

/** What a node is made for, and who is told of those below it. */
export interface RuleNodeOptions {
  readonly isResource: boolean;
  /** Told of every place on the way, also of those without rules. */
  readonly onPlace?: (schema: JsonSchema, node: RuleNode | undefined) => void;
}

/** The rules of a schema; undefined where there are none. Stored expressions may use everything there is. */
export function ruleNodeOf(
  schema: JsonSchema,
  { isResource, onPlace = () => {} }: RuleNodeOptions,
): RuleNode | undefined {
  if (!hasRules(schema)) return undefined;
  const declared = declareType(schema, { name: "selfType", isResource });
  const fields = new StructFields();
  if (declared !== undefined) fields.add(declared);
  const environment = kubernetesEnvironment(everyVersion);
  return build({ rules: schema, schema, declared, isResource });

  /** `rules` is where rules are taken from: the schema itself, or a part of its allOf. */
  function build(place: Place): RuleNode | undefined {
    const node = nodeAt(place);
    if (place.rules === place.schema) onPlace(place.schema, node);
    return node;
  }

  function nodeAt(place: Place): RuleNode | undefined {
    const { rules, schema: own, declared: type, isResource: isRoot } = place;
    const ownRules = rules["x-kubernetes-validations"] ?? [];
    const ownItems = itemsOf(own);
    const ruleItems = itemsOf(rules);
    const ownValues = valuesOf(own);
    const ruleValues = valuesOf(rules);
    const node: RuleNode = {
      schema: own,
      rules: once(() => compileAll(ownRules, own, type, isRoot)),
      items: ownItems && ruleItems && below(ruleItems, ownItems, type?.element),
      values: ownValues && ruleValues && below(ruleValues, ownValues, type?.element),
      properties: sortedProperties(rules).flatMap(([name, rule]) => property(place, name, rule)),
      allOf: (rules.allOf ?? []).flatMap((part) => build({ ...place, rules: part }) ?? []),
    };
    const isEmpty =
      ownRules.length === 0 &&
      node.items === undefined &&
      node.values === undefined &&
      node.properties.length === 0 &&
      node.allOf.length === 0;
    return isEmpty ? undefined : node;
  }

  function below(rules: JsonSchema, own: JsonSchema, type: DeclaredType | undefined): RuleNode | undefined {
    return build({ rules, schema: own, declared: type, isResource: isEmbedded(own) });
  }

  function property({ schema: own, declared: type }: Place, name: string, rules: JsonSchema) {
    const schemaOfProperty = own.properties?.[name];
    if (schemaOfProperty === undefined) return [];
    const escaped = escapeName(name);
    const known = escaped === undefined ? declareApart(name, schemaOfProperty) : type?.fields?.get(escaped);
    const node = known && below(rules, schemaOfProperty, known);
    return node === undefined ? [] : [[name, node] as const];
  }

  /** What no expression can name from above still has rules of its own. */
  function declareApart(name: string, own: JsonSchema): DeclaredType | undefined {
    const type = declareType(own, { name: `selfType[${name}]`, isResource: isEmbedded(own) });
    if (type !== undefined) fields.add(type);
    return type;
  }

  function compileAll(
    rules: readonly ValidationRule[],
    own: JsonSchema,
    type: DeclaredType | undefined,
    isRoot: boolean,
  ): NodeRules {
    if (rules.length === 0) return { kind: "compiled", rules: [], read: () => null };
    if (type === undefined) {
      return { kind: "refused", problem: "failed to convert to declType for CEL validation rules" };
    }
    const scope = {
      schema: own,
      declared: type,
      fieldsOf: (name: string) => fields.of(name),
      environmentFor: () => environment,
    };
    const compiled = rules.flatMap((rule) => compileRule(rule, scope) ?? []);
    return { kind: "compiled", rules: compiled, read: readerOf(own, { isResource: isRoot }) };
  }
}

/** True where a schema or a part of it has rules; those that stand in allOf alone are never run, as in Kubernetes. */
export function hasRules(schema: JsonSchema): boolean {
  if ((schema["x-kubernetes-validations"] ?? []).length > 0) return true;
  const parts = [itemsOf(schema), valuesOf(schema), ...Object.values(schema.properties ?? {})];
  return parts.some((part) => part !== undefined && hasRules(part));
}

interface Place {
  readonly rules: JsonSchema;
  readonly schema: JsonSchema;
  readonly declared: DeclaredType | undefined;
  readonly isResource: boolean;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
