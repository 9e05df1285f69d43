import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeFieldError, describeFieldProblem, type FieldError } from "../field-error.ts";
import type { Json, JsonObject } from "../json.ts";
import { compileSchema } from "./compile.ts";
import type { JsonSchema } from "./json-schema.ts";

// What a real API server answered; tools/record-schema.ts asks it again.
interface Recorded {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly old?: Json;
  readonly value: Json;
  readonly kept?: Json;
  readonly unknown?: readonly string[];
  readonly causes?: readonly Cause[];
  readonly ordered?: boolean;
  /** How the server refused a value before it looked at the schema. */
  readonly message?: string;
}

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

describe.each(["values", "formats", "updates"])("the recorded answers about %s", (file) => {
  const folder = `${import.meta.dirname}/../../../test/fixtures/schema`;
  const recorded = JSON.parse(readFileSync(`${folder}/${file}.json`, "utf8")) as readonly Recorded[];
  test.each(recorded.map((one) => [one.name, JSON.stringify(one.value), one] as const))(
    "%s: %s is answered as a real API server does",
    (_name, _value, one) => {
      expect(answerTo(one)).toEqual(expectedAnswer(one));
    },
  );
});

interface Comparable {
  readonly kept?: Json;
  readonly unknown: readonly string[];
  readonly causes?: readonly Cause[];
  readonly refusal?: string;
}

function answerTo({ schema, value, old, ordered = true }: Recorded): Comparable {
  const compiled = compileSchema({
    type: "object",
    properties: { spec: { type: "object", properties: { x: schema } } },
  });
  const given = objectWith(value);
  const malformed = compiled.malformed(given);
  if (malformed !== undefined) return { unknown: [], refusal: describeFieldError(malformed) };
  const pruned = compiled.prune(given);
  const object = compiled.applyDefaults(pruned);
  const errors = old === undefined ? compiled.validate(object) : compiled.validateUpdate(object, objectWith(old));
  const unknown = compiled.unknownFields(given);
  if (errors.length > 0) return { unknown, causes: inOrder(errors.map(causeOf), ordered) };
  const spec = (object as JsonObject)["spec"] as JsonObject;
  return { unknown, kept: spec["x"] ?? "<absent>" };
}

function expectedAnswer({ kept, unknown = [], causes, ordered = true, message }: Recorded): Comparable {
  if (message !== undefined)
    return { unknown, refusal: message.replace(/^\w+ in version "v1" cannot be handled as a \w+: /, "") };
  // The server adds this one where CEL rules could not be checked; that is another room's.
  const own = causes?.filter((cause) => !cause.message.includes("some validation rules were not checked"));
  if (own === undefined) return { unknown, ...(kept === undefined ? {} : { kept }) };
  return { unknown, causes: inOrder(own, ordered) };
}

/** The server walks maps in no fixed order, so some lists can only be compared as sets. */
function inOrder(causes: readonly Cause[], ordered: boolean): readonly Cause[] {
  return ordered ? causes : causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function causeOf(error: FieldError): Cause {
  return { reason: error.type, message: describeFieldProblem(error), field: error.field };
}

function objectWith(value: Json): JsonObject {
  return { apiVersion: "schema.example.com/v1", kind: "Case", metadata: { name: "case" }, spec: { x: value } };
}
