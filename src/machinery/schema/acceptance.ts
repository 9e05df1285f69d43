import { isJsonList, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { embeddedErrors } from "./embedded.ts";
import { FieldPath } from "../field-path.ts";
import { hasDuplicates, isAbove, isBelow, isEnumerated, multiplicity } from "./keyword-checks.ts";
import { hasUniqueKeys, listMapKeys, repetitions } from "./list-uniqueness.ts";
import { isInt64, isNumeric } from "./number.ts";
import { hasAtLeast, hasAtMost } from "./rune-count.ts";
import type { SchemaNode } from "./schema-node.ts";
import { typeMismatch } from "./value-type.ts";

/**
 * Says in one quick walk, without paths or texts, whether a value has nothing wrong with it. Parts that are the very same
 * in an older value, which was accepted before, are passed over.
 */
export type Accepts = (value: Json, accepted?: Json) => boolean;

type Test<T> = (value: T, accepted?: Json) => boolean;

const noMembers: JsonObject = Object.freeze({});
const noItems: readonly Json[] = Object.freeze([]);

/**
 * Compiles a node to closures. Keywords that a schema does not use cost nothing, and what a node says of values of one
 * type is compiled when the first such value comes: most parts of most schemas never see one.
 */
export function compileAcceptance(node: SchemaNode): Accepts {
  let text: Test<string> | undefined;
  let boolean: Test<boolean> | undefined;
  let integer: Test<number | bigint> | undefined;
  let fraction: Test<number | bigint> | undefined;
  let nothing: Test<null> | undefined;
  let list: Test<readonly Json[]> | undefined;
  let object: Test<JsonObject> | undefined;
  const acceptsByType: Accepts = (value, accepted) => {
    if (typeof value === "string") return (text ??= all(textTests(node)))(value);
    if (typeof value === "boolean") return (boolean ??= all(typeTest(node, false)))(value);
    if (isNumeric(value)) {
      if (isInt64(value)) return (integer ??= all(integerTests(node)))(value);
      return (fraction ??= all(fractionTests(node)))(value);
    }
    if (value === null) return (nothing ??= all(typeTest(node, null)))(value);
    if (isJsonList(value)) return (list ??= all(listTests(node)))(value, accepted);
    return (object ??= all(objectTests(node)))(value, accepted);
  };
  const others = [...enumTests(node), ...compositeTests(node)];
  return others.length === 0 ? acceptsByType : all([acceptsByType, ...others]);
}

/** One test out of many; most nodes have none or one. */
function all<T>(tests: readonly Test<T>[]): Test<T> {
  const [first, second] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (tests.length === 2) return (value, accepted) => first(value, accepted) && second(value, accepted);
  return (value, accepted) => {
    for (const test of tests) if (!test(value, accepted)) return false;
    return true;
  };
}

/** Types other than fractions are decided once, by a sample. */
function typeTest(node: SchemaNode, sample: Json): readonly Test<Json>[] {
  return typeMismatch(node, sample) === undefined ? [] : [() => false];
}

function textTests(node: SchemaNode): readonly Test<string>[] {
  const { schema, pattern, format } = node;
  const { minLength, maxLength } = schema;
  return [
    ...typeTest(node, ""),
    ...(maxLength === undefined ? [] : [(text: string) => hasAtMost(text, maxLength)]),
    ...(minLength === undefined ? [] : [(text: string) => hasAtLeast(text, minLength)]),
    ...(pattern === undefined ? [] : [pattern.kind === "valid" ? pattern.matches : () => false]),
    ...(format?.accepts === undefined ? [] : [format.accepts]),
  ];
}

function integerTests(node: SchemaNode): readonly Test<number | bigint>[] {
  return [...typeTest(node, 0), ...numberTests(node)];
}

function fractionTests(node: SchemaNode): readonly Test<number | bigint>[] {
  return [(value) => typeMismatch(node, value) === undefined, ...numberTests(node)];
}

function numberTests({ schema }: SchemaNode): readonly Test<number | bigint>[] {
  const { minimum, maximum, multipleOf } = schema;
  const tests: Test<number | bigint>[] = [];
  if (multipleOf !== undefined) tests.push((value) => multiplicity(value, multipleOf) === "multiple");
  if (minimum !== undefined) {
    const bound = { limit: minimum, exclusive: schema.exclusiveMinimum === true };
    tests.push((value) => !isBelow(value, bound));
  }
  if (maximum !== undefined) {
    const bound = { limit: maximum, exclusive: schema.exclusiveMaximum === true };
    tests.push((value) => !isAbove(value, bound));
  }
  return tests;
}

function listTests(node: SchemaNode): readonly Test<readonly Json[]>[] {
  const { minItems, maxItems, uniqueItems } = node.schema;
  const tests: Test<readonly Json[]>[] = [...typeTest(node, [])];
  if (minItems !== undefined) tests.push((list) => list.length >= minItems);
  if (maxItems !== undefined) tests.push((list) => list.length <= maxItems);
  if (uniqueItems === true) tests.push((list) => !hasDuplicates(list));
  if (node.items !== undefined) {
    tests.push(itemTest(compileAcceptance(node.items)));
  }
  return [...tests, ...listTypeTests(node)];
}

function itemTest(accepts: Accepts): Test<readonly Json[]> {
  return (list, accepted) => {
    const before = isJsonList(accepted) ? accepted : noItems;
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index] ?? null;
      if (item !== before[index] && !accepts(item, before[index])) return false;
    }
    return true;
  };
}

function listTypeTests({ listType, listKeys }: SchemaNode): readonly Test<readonly Json[]>[] {
  if (listType === undefined) return [];
  if (listType === "set") return [(list) => list.length < 2 || repetitions(list).length === 0];
  const [key] = listKeys;
  if (key !== undefined && listKeys.length === 1) {
    return [areObjects, (list) => list.length < 2 || hasUniqueKeys(list, key)];
  }
  return [areObjects, (list) => list.length < 2 || repetitions(listMapKeys(list, listKeys)).length === 0];
}

function areObjects(list: readonly Json[]): boolean {
  return list.every((item) => typeof item === "object" && !isJsonList(item));
}

function objectTests(node: SchemaNode): readonly Test<JsonObject>[] {
  const { minProperties, maxProperties } = node.schema;
  const tests: Test<JsonObject>[] = [...typeTest(node, {})];
  if (minProperties !== undefined) tests.push((object) => Object.keys(object).length >= minProperties);
  if (maxProperties !== undefined) tests.push((object) => Object.keys(object).length <= maxProperties);
  if (node.required.length > 0) tests.push((object) => hasAll(object, node.required));
  if (node.embedded) tests.push((object) => embeddedErrors(object, FieldPath.root).length === 0);
  return [...tests, ...fieldTests(node)];
}

function fieldTests({ properties, additional }: SchemaNode): readonly Test<JsonObject>[] {
  const known = new Map<string, Accepts>();
  const acceptsOther = otherFields(additional);
  if (properties.size === 0 && acceptsOther === undefined) return [];
  return [
    (object, accepted) => {
      const before = isJsonObject(accepted) ? accepted : noMembers;
      for (const name in object) {
        const value = object[name] ?? null;
        if (value === before[name]) continue;
        const accepts = known.get(name) ?? acceptsField(name) ?? acceptsOther;
        if (accepts !== undefined && !accepts(value, before[name])) return false;
      }
      return true;
    },
  ];

  function acceptsField(name: string): Accepts | undefined {
    const node = properties.get(name);
    if (node === undefined) return undefined;
    const accepts = compileAcceptance(node);
    known.set(name, accepts);
    return accepts;
  }
}

function otherFields(additional: SchemaNode["additional"]): Accepts | undefined {
  if (additional?.kind === "schema") return compileAcceptance(additional.node);
  return additional?.kind === "nothing" ? () => false : undefined;
}

function enumTests({ enumeration }: SchemaNode): readonly Accepts[] {
  if (enumeration === undefined) return [];
  const texts = new Set(enumeration.filter((value) => typeof value === "string"));
  return [(value) => (typeof value === "string" ? texts.has(value) : isEnumerated(enumeration, value))];
}

/** Null passes the combinations unseen: Kubernetes checks its type and its enumeration only. */
function compositeTests(node: SchemaNode): readonly Accepts[] {
  const [anyOf, oneOf, allOf] = [node.anyOf, node.oneOf, node.allOf].map((nodes) => nodes.map(compileAcceptance));
  const not = node.not === undefined ? undefined : compileAcceptance(node.not);
  const tests: Accepts[] = [];
  if (anyOf !== undefined && anyOf.length > 0) tests.push((value) => anyOf.some((accepts) => accepts(value)));
  if (oneOf !== undefined && oneOf.length > 0) {
    tests.push((value) => oneOf.filter((accepts) => accepts(value)).length === 1);
  }
  if (allOf !== undefined) tests.push(...allOf);
  if (not !== undefined) tests.push((value) => !not(value));
  return tests.map((test) => (value, accepted) => value === null || test(value, accepted));
}

function hasAll(object: JsonObject, names: readonly string[]): boolean {
  for (const name of names) if (!Object.hasOwn(object, name)) return false;
  return true;
}
