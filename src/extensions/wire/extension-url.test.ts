import { describe, expect, test } from "vitest";
import { BeforeClusterUpgrade } from "../catalog/lifecycle-hooks.ts";
import type { ClientConfig } from "../registry/registration.ts";
import { extensionUrl, printUrl, withTimeout } from "./extension-url.ts";

const path = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclusterupgrade/quota";
const service = { namespace: "ns", name: "svc" };

describe("a handler is called at", () => {
  test.each<[string, ClientConfig, string]>([
    ["a service", { service }, `https://svc.ns.svc${path}`],
    ["a port of a service", { service: { ...service, port: 443 } }, `https://svc.ns.svc:443${path}`],
    ["a path of a service", { service: { ...service, path: "/a b/../c/" } }, `https://svc.ns.svc/c${path}`],
    ["a path without a slash", { service: { ...service, path: "a%20" } }, `https://svc.ns.svc/a%2520${path}`],
    ["a service rather than a URL", { service, url: "https://h" }, `https://svc.ns.svc${path}`],
    ["a URL", { url: "https://h:8443" }, `https://h:8443${path}`],
    ["a URL with a path and a query", { url: "https://h//a/./b/?x=1" }, `https://h/a/b${path}?x=1`],
    ["an address", { url: "https://[::1]:9443/" }, `https://[::1]:9443${path}`],
    ["a URL with a password, which is not shown", { url: "https://u:p@h" }, `https://u:***@h${path}`],
    ["a URL in capitals", { url: "HTTPS://h#x" }, `https://h${path}`],
  ])("%s", (_, config, url) => {
    expect(printUrl(extensionUrl(config, BeforeClusterUpgrade, "Quota"))).toBe(url);
  });
});

test.each<[string, ClientConfig, string]>([
  ["no address at all", {}, "at least one of service and url should be defined in config"],
  [
    "an empty service",
    { service: { name: "", namespace: "" } },
    "at least one of service and url should be defined in config",
  ],
  ["another scheme", { url: "http://h" }, "expected https scheme, got http"],
  ["no scheme", { url: "h" }, "expected https scheme, got "],
  [
    "no URL",
    { url: "https://a b" },
    'failed to parse url from clientConfig: parse "https://a b": invalid character " " in host name',
  ],
])("%s leads nowhere", (_, config, why) => {
  expect(() => extensionUrl(config, BeforeClusterUpgrade)).toThrow(`failed to compute URL: ${why}`);
});

test("a timeout joins the query, in the order of the names", () => {
  const url = withTimeout(extensionUrl({ url: "https://h?z=1&a=b c" }, BeforeClusterUpgrade), "10s");
  expect(url.query).toBe("a=b+c&timeout=10s&z=1");
});
