import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kinds } from "#api";
import type { Subject } from "#apiserver/behaviour";
import { asJson, fieldAt, isAlreadyExists, type Kind, type KubeObject } from "#machinery";
import { type InvalidObject, objectOf } from "./invalid-objects.ts";
import { validObjects } from "./valid-objects.ts";

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** What every server does with the declared kinds. */
export function kindSuite(open: () => Promise<Subject>, invalidObjects: Readonly<Record<string, InvalidObject>>): void {
  let subject: Subject;
  beforeAll(async () => {
    subject = await open();
    await Promise.all(kinds.map((kind) => install(subject, kind)));
  });
  afterAll(() => subject.close());

  test.each(validObjects.map((object) => [object.kind, object] as const))(
    "takes a %s as it is",
    async (_kind, object) => {
      const made = await subject.transport.create(kindOf(object).resource, object, { dryRun: true });
      expect(asJson(made)["spec"]).toEqual(object["spec"]);
    },
  );

  describe("refuses", () => {
    test.each(Object.entries(invalidObjects))("%s", async (_what, invalid) => {
      const object = objectOf(invalid);
      const answer = subject.transport.create(kindOf(object).resource, object, { dryRun: true });
      const refusal = `${object.kind}.${kindOf(object).group} "blue" is invalid: ${invalid.problem}`;
      await expect(answer).rejects.toThrow(expect.objectContaining({ message: refusal }));
    });
  });
}

async function install(subject: Subject, kind: Kind): Promise<void> {
  const { transport } = subject;
  const crd = kind.crd();
  try {
    await transport.create(definitions, crd);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  await subject.eventually(async () => {
    const stored = await transport.get(definitions, { name: crd.metadata.name ?? "" });
    const conditions = fieldAt(stored, "status", "conditions");
    expect(conditions).toContainEqual(expect.objectContaining({ type: "Established", status: "True" }));
    await transport.list(kind.resource);
  });
}

function kindOf(object: KubeObject): Kind {
  const kind = kinds.find((candidate) => candidate.is(object));
  if (kind === undefined) throw new Error(`${object.apiVersion} ${object.kind} is not declared`);
  return kind;
}
