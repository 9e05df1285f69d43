import { describe, expect, test } from "vitest";
import { fieldAt, type JsonObject, type KubeObject } from "#machinery";
import { type Callout, CalloutError } from "#apiserver/callout";
import type { Conversion } from "#apiserver/resources";
import { conversionOf } from "./webhook-conversion.ts";

const clientConfig = { service: { namespace: "n", name: "s", path: "/convert" } };

/** Objects in their second version, as a webhook would answer. */
const inSecond = (objects: readonly JsonObject[]) => objects.map((each) => ({ ...each, apiVersion: "ex.io/v2" }));

type Answer = (review: JsonObject, objects: readonly JsonObject[]) => JsonObject;

const success: Answer = (review, objects) => answer(review, { convertedObjects: inSecond(objects) });

describe("a conversion by a webhook", () => {
  test("is none where the version is all that changes", () => {
    expect(conversionOf({ strategy: "None" }, { callout: webhook(success).callout, uuid: () => "u" })).toEqual({
      kind: "none",
    });
  });

  test("asks for what is in another version, in one question, and keeps the order", async () => {
    const { convert, asked } = webhook(success);
    const objects = [thing("a"), { ...thing("b"), apiVersion: "ex.io/v2" }, thing("c")];
    const converted = await convert(objects);
    expect(converted.map(({ apiVersion, metadata }) => [apiVersion, metadata.name])).toEqual([
      ["ex.io/v2", "a"],
      ["ex.io/v2", "b"],
      ["ex.io/v2", "c"],
    ]);
    expect(converted[1]).toBe(objects[1]);
    expect(asked).toMatchObject([
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "ConversionReview",
        request: { uid: "u", desiredAPIVersion: "ex.io/v2", objects: [thing("a"), thing("c")] },
      },
    ]);
    expect(await convert([{ ...thing("d"), apiVersion: "ex.io/v2" }])).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  test("asks several times about very many objects", async () => {
    const { convert, asked } = webhook(success);
    const many = Array.from({ length: 1100 }, (_, index) => thing(`a${index}`));
    const converted = await convert(many);
    expect(converted.map(({ metadata }) => metadata.name)).toEqual(many.map(({ metadata }) => metadata.name));
    expect(asked.map((review) => objectsIn(review).length)).toEqual([500, 500, 100]);
  });

  test("may change labels and annotations, and nothing else of the metadata", async () => {
    const { convert } = webhook((review, objects) =>
      answer(review, {
        convertedObjects: inSecond(objects).map((each) => ({
          ...each,
          metadata: { name: "a", uid: "u1", labels: { l: "1" }, annotations: { n: "2" }, finalizers: ["x"] },
        })),
      }),
    );
    const [converted] = await convert([{ ...thing("a"), metadata: { name: "a", uid: "u1", generation: 3 } }]);
    expect(converted?.metadata).toEqual({
      name: "a",
      uid: "u1",
      generation: 3,
      labels: { l: "1" },
      annotations: { n: "2" },
    });
  });

  test("is refused as a whole where one of several objects is not right", async () => {
    const { convert } = webhook((review, objects) =>
      answer(review, { convertedObjects: inSecond(objects).with(1, { ...thing("c"), apiVersion: "ex.io/v2" }) }),
    );
    await expect(convert([thing("a"), thing("b")])).rejects.toMatchObject({
      httpCode: 500,
      message:
        "conversion webhook for ex.io/v1, Kind=ThingList returned invalid converted object at index 1: must have the same name: b != c",
    });
  });

  test("tells what kept the webhook from answering", async () => {
    const callout: Callout = { ask: () => Promise.reject(new CalloutError("no route")), close: () => undefined };
    await expect(convertBy(callout)([thing("a")])).rejects.toMatchObject({
      httpCode: 500,
      message: "conversion webhook for ex.io/v1, Kind=Thing failed: no route",
    });
  });

  test("of an older kind is not held to uids", async () => {
    const review = (objects: readonly JsonObject[]) => ({
      apiVersion: "apiextensions.k8s.io/v1beta1",
      kind: "ConversionReview",
      response: { result: { status: "Success" }, convertedObjects: inSecond(objects) },
    });
    const { callout } = webhook((_, objects) => review(objects));
    expect(await convertBy(callout, ["v7", "v1beta1"])([thing("a")])).toMatchObject([{ apiVersion: "ex.io/v2" }]);
  });
});

function thing(name: string): JsonObject & KubeObject {
  return { apiVersion: "ex.io/v1", kind: "Thing", metadata: { name } };
}

function answer(review: JsonObject, response: JsonObject): JsonObject {
  const uid = fieldAt(review, "request", "uid") as string;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: { uid, result: { status: "Success" }, ...response },
  };
}

function objectsIn(review: JsonObject): readonly JsonObject[] {
  return fieldAt(review, "request", "objects") as readonly JsonObject[];
}

function webhook(respond: Answer) {
  const asked: JsonObject[] = [];
  const callout: Callout = {
    ask: (_, { body }) => {
      const review = JSON.parse(body) as JsonObject;
      asked.push(review);
      return Promise.resolve(respond(review, objectsIn(review)));
    },
    close: () => undefined,
  };
  return { asked, callout, convert: convertBy(callout) };
}

function convertBy(callout: Callout, conversionReviewVersions: readonly string[] = ["v1"]) {
  const webhookConfig = { clientConfig, conversionReviewVersions };
  const conversion: Conversion = conversionOf(
    { strategy: "Webhook", webhook: webhookConfig },
    { callout, uuid: () => "u" },
  );
  if (conversion.kind === "none") throw new Error("nobody is called");
  return (objects: readonly KubeObject[]) => conversion.convert(objects, "ex.io/v2", {});
}
