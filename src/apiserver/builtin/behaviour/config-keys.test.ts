import { expect, test } from "vitest";
import { describeFieldErrors, type KubeObject } from "#machinery";
import { configMap } from "./config-map.ts";
import { secret } from "./secret.ts";

const mebibyte = 1024 * 1024;

function refusal(rules: typeof secret, fields: object): string {
  const object: KubeObject = { apiVersion: "v1", kind: "X", metadata: { name: "x" }, ...fields };
  return describeFieldErrors(rules.behaviour?.validate?.(object) ?? []);
}

// Recorded by hand, as such an object does not fit into a fixture.
test("a ConfigMap holds a mebibyte in all, whatever form it has", () => {
  const most = "x".repeat(mebibyte);
  expect(refusal(configMap, { data: { a: most } })).toBe("[]");
  expect(refusal(configMap, { data: { a: most, b: "y" } })).toBe("[]: Too long: may not be more than 1048576 bytes");
  expect(refusal(configMap, { data: { a: most }, binaryData: { b: "eA==" } })).toBe(
    "[]: Too long: may not be more than 1048576 bytes",
  );
});

test("a Secret holds a mebibyte, not counting base64", () => {
  const most = Buffer.alloc(mebibyte).toString("base64");
  expect(refusal(secret, { data: { a: most } })).toBe("[]");
  expect(refusal(secret, { data: { a: most, b: "eA==" } })).toBe("data: Too long: may not be more than 1048576 bytes");
});

test("what is wrong inside a docker configuration is not told", () => {
  const content = Buffer.from('{"secret').toString("base64");
  const told = refusal(secret, { type: "kubernetes.io/dockercfg", data: { ".dockercfg": content } });
  expect(told).toContain('data[.dockercfg]: Invalid value: "<secret contents redacted>"');
  expect(told).not.toContain('"secret');
});
