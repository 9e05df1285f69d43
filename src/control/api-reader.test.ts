import { createClient } from "#client";
import { expect, test } from "vitest";
import { apiReader } from "./api-reader.ts";
import { Lamp } from "./test-lamp.ts";

test("what has no name is not there, as in a cache, and no server is asked for it", async () => {
  const refuse = (): never => {
    throw new Error("nobody is to be asked");
  };
  const transport = {
    get: refuse,
    list: refuse,
    watch: refuse,
    create: refuse,
    update: refuse,
    patch: refuse,
    apply: refuse,
    delete: refuse,
    deleteCollection: refuse,
    discover: refuse,
  };
  const reader = apiReader(createClient(transport));
  expect(await reader.find(Lamp, { namespace: "default", name: "" })).toBeUndefined();
});
