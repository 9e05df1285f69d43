import { expect, test } from "vitest";
import { chooseRepresentation } from "./representation.ts";

const metadata = "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

test.each([
  ["a client that wants JSON gets items that name their kind", `application/json;${metadata}`, undefined],
  [
    "a client that would rather have protobuf gets items as protobuf has them",
    `application/vnd.kubernetes.protobuf;${metadata},application/json;${metadata},application/json`,
    true,
  ],
])("%s", (_, accept, bareItems) => {
  const representation = chooseRepresentation({ accept, watching: false, custom: false });
  expect(representation).toMatchObject({ format: "json", view: "metadata", ofList: true });
  expect(representation.bareItems).toBe(bareItems);
});
