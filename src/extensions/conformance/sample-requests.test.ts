import { expect, test } from "vitest";
import { runtimeCatalog } from "../catalog/runtime-catalog.ts";
import { sampleRequest } from "./sample-requests.ts";

test.each(runtimeCatalog.hooks.map((hook) => [hook.hook, hook] as const))(
  "there is a question for %s",
  (name, hook) => {
    expect(hook.readRequest(sampleRequest(name))).toEqual(sampleRequest(name));
  },
);
