import { expect, test } from "vitest";
import { addWebhookService } from "./webhook-services.ts";

test("services are told by flags, one after the other", () => {
  const services = addWebhookService("b/two=[::1]:9444", addWebhookService("a/one=127.0.0.1:9443"));
  expect([...services]).toEqual([
    ["a/one", { host: "127.0.0.1", port: 9443 }],
    ["b/two", { host: "::1", port: 9444 }],
  ]);
  expect([...addWebhookService("a/one=other:1", services)][0]).toEqual(["a/one", { host: "other", port: 1 }]);
});

test.each(["", "a/b", "a/b=", "a=h:1", "a/b=h", "a/b=h:0", "a/b=h:65536", "a/b=h:x", "a/b/c=h:1", "/b=h:1"])(
  "%o is no service",
  (text) => {
    expect(() => addWebhookService(text)).toThrow(`--webhook-service takes NAMESPACE/NAME=HOST:PORT, not ${text}`);
  },
);
