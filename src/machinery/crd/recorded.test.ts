import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeFieldProblem, type FieldError } from "../field-error.ts";
import type { KubeObject } from "../object.ts";
import { defaultDefinition, definitionToCreate, definitionToUpdate } from "./default-definition.ts";
import type { CustomResourceDefinition } from "./definition.ts";
import { readDefinition } from "./read-definition.ts";
import { validateCrd } from "./validate-crd.ts";

// What a real API server answered; tools/record-definitions.ts asks it again.
interface Recorded {
  readonly name: string;
  readonly definition: KubeObject;
  readonly old?: CustomResourceDefinition;
  readonly causes?: readonly Cause[];
  readonly ordered?: boolean;
  readonly message?: string;
  readonly kept?: unknown;
}

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

describe.each(["schemas", "definitions", "definition-updates"])("the recorded answers about %s", (file) => {
  const folder = `${import.meta.dirname}/../../../test/fixtures/schema`;
  const recorded = JSON.parse(readFileSync(`${folder}/${file}.json`, "utf8")) as readonly Recorded[];
  test.each(recorded.map((one) => [one.name, one] as const))("%s: is answered as a real API server does", (_, one) => {
    expect(answerTo(one)).toEqual(expectedAnswer(one));
  });
});

function answerTo({ definition, old, ordered = true }: Recorded): unknown {
  const filled = defaultDefinition(readDefinition(definition).definition);
  const prepared = old === undefined ? definitionToCreate(filled) : definitionToUpdate(filled, old);
  const errors = validateCrd(prepared, old);
  if (errors.length > 0) return inOrder(errors.map(causeOf), ordered);
  return { spec: prepared.spec, storedVersions: prepared.status?.storedVersions };
}

function expectedAnswer({ causes, kept, ordered = true }: Recorded): unknown {
  return causes === undefined ? kept : inOrder(causes, ordered);
}

/** The server walks maps in no fixed order, so some lists can only be compared as sets. */
function inOrder(causes: readonly Cause[], ordered: boolean): readonly Cause[] {
  return ordered ? causes : causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function causeOf(error: FieldError): Cause {
  return { reason: error.type, message: describeFieldProblem(error), field: error.field };
}
