import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { array, assert, constantFrom, jsonValue, nat, oneof, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import { parseTimestamp } from "#base";
import { ApiError, describeGroupResource, invalidObject, type KubeObject } from "#machinery";
import { builtinDefinitions, builtinPrinter } from "./index.ts";

interface Recorded {
  readonly resource: string;
  readonly body: KubeObject;
}

const folder = join(import.meta.dirname, "../../../test/fixtures/builtin");
const recorded = readdirSync(folder).flatMap(
  (file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as readonly Recorded[],
);
const definitions = new Map(builtinDefinitions().map((each) => [describeGroupResource(each), each]));
const now = parseTimestamp("2024-01-01T00:00:00Z");

/** Puts a value somewhere into an object: the path is a row of numbers, each of which picks one of the members. */
function spoil(object: unknown, [step = 0, ...path]: readonly number[], value: unknown): unknown {
  if (typeof object !== "object" || object === null) return value;
  const keys = Object.keys(object);
  if (keys.length === 0) return value;
  const key = keys[step % keys.length] ?? "";
  const below = path.length === 0 ? value : spoil(Reflect.get(object, key), path, value);
  if (Array.isArray(object)) return object.map((each: unknown, index) => (String(index) === key ? below : each));
  return { ...object, [key]: below };
}

/** Whether a body, once it is read, goes through everything that a kind does. */
function fateOf({ resource, body }: Recorded): string {
  const definition = definitions.get(resource);
  const schema = definition?.versions[0]?.schema;
  if (definition === undefined || schema === undefined) return `no ${resource}`;
  const { behaviour } = definition;
  try {
    const read = schema.applyDefaults(schema.prune(body));
    const object = behaviour.prepareForCreate?.(read) ?? read;
    const changed = behaviour.prepareForUpdate?.(object, object, "") ?? object;
    const problems = [
      ...(behaviour.validate?.(object) ?? []),
      ...(behaviour.validateUpdate?.(changed, object, "") ?? []),
      ...(behaviour.validateUpdate?.(changed, object, "status") ?? []),
    ];
    builtinPrinter(definition)?.cells(behaviour.markDeleted?.(object) ?? object, now);
    if (problems.length > 0) throw invalidObject(definition, "x", problems);
    return "kept";
  } catch (error) {
    return error instanceof ApiError
      ? "refused"
      : `${resource}: ${String(error instanceof Error ? error.stack : error)}`;
  }
}

test("whatever stands in a body, it is kept or refused", () => {
  const odd = oneof(
    jsonValue({ maxDepth: 2 }),
    constantFrom<unknown>(null, "", 0, -1, [], {}, [null], { a: null }, [{}]),
  );
  const spoilt = tuple(constantFrom(...recorded), array(nat(20), { minLength: 1, maxLength: 6 }), odd).map(
    // The metadata of an object is read before its kind has a say.
    ([each, path, value]) => {
      const { metadata } = each.body;
      const body = spoil(each.body, path, value) as KubeObject;
      return { ...each, body: { ...body, apiVersion: each.body.apiVersion, kind: each.body.kind, metadata } };
    },
  );
  assert(
    property(spoilt, (each) => {
      expect(fateOf(each)).toMatch(/^(kept|refused)$/);
    }),
    { numRuns: 5000 },
  );
});
