import { describe, expect, test } from "vitest";
import { describeError } from "#base";
import { anExtensionConfig } from "../test-extension-config.ts";
import { createRegistry } from "./registry.ts";

const hook = { apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1", hook: "BeforeClusterUpgrade" };
const groupHook = { group: "hooks.runtime.cluster.x-k8s.io", hook: "BeforeClusterUpgrade" };
const config = (name: string, ...handlers: readonly string[]) =>
  anExtensionConfig({
    name,
    clientConfig: { url: `https://${name}` },
    handlers: handlers.map((handler) => ({ name: handler, requestHook: hook })),
  });
const errorOf = (run: () => void) => {
  try {
    run();
    return undefined;
  } catch (error) {
    return describeError(error);
  }
};

describe("a registry", () => {
  test("is cold until it was warmed up, and then ready for ever", () => {
    const registry = createRegistry();
    expect(registry.isReady()).toBe(false);
    registry.warmUp([config("a", "x.a")]);
    expect(registry.isReady()).toBe(true);
    expect(errorOf(() => registry.warmUp([]))).toBe(
      "failed to warm up registry: invalid operation: WarmUp cannot be called on a registry which has already been warmed up",
    );
    expect(registry.list(groupHook).map(({ name }) => name)).toEqual(["x.a"]);
  });

  test("stays cold and empty where an ExtensionConfig cannot be read", () => {
    const registry = createRegistry();
    const broken = anExtensionConfig({
      name: "b",
      clientConfig: {},
      namespaceSelector: { matchExpressions: [{ key: "a", operator: "Bogus" }] },
    });
    expect(errorOf(() => registry.warmUp([config("a", "x.a"), broken]))).toBe(
      'failed to warm up registry: failed to add ExtensionConfig "b" to registry: failed to create namespaceSelector: ' +
        '"Bogus" is not a valid label selector operator',
    );
    expect(registry.isReady()).toBe(false);
    registry.warmUp([]);
    expect(registry.list(groupHook)).toEqual([]);
  });

  test("forgets an ExtensionConfig, and what it never knew", () => {
    const registry = createRegistry();
    registry.warmUp([config("a", "x.a"), config("b", "x.b")]);
    registry.remove({ name: "a" });
    registry.remove({ name: "nobody" });
    expect(registry.list(groupHook).map(({ name }) => name)).toEqual(["x.b"]);
  });

  test("gives the name of a handler to whoever took it last", () => {
    const registry = createRegistry();
    registry.warmUp([config("a", "shared", "x.a")]);
    registry.add(config("b", "shared"));
    expect(registry.get("shared").extensionConfigName).toBe("b");
    registry.remove({ name: "a" });
    expect(registry.list(groupHook).map(({ name }) => name)).toEqual(["shared"]);
  });
});
