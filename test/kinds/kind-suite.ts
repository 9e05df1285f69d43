import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kinds } from "#api";
import type { Subject } from "#apiserver/behaviour";
import { asJson, type Kind, type KubeObject } from "#machinery";
import { install } from "./install.ts";
import { invalidObjects, objectOf } from "./invalid-objects.ts";
import { validObjects } from "./valid-objects.ts";

/** What every server does with the declared kinds. */
export function kindSuite(open: () => Promise<Subject>): void {
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

function kindOf(object: KubeObject): Kind {
  const kind = kinds.find((candidate) => candidate.is(object));
  if (kind === undefined) throw new Error(`${object.apiVersion} ${object.kind} is not declared`);
  return kind;
}
