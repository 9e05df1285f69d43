import { describe, expect, test } from "vitest";
import { ExtensionConfig } from "#api";
import { createLogger, seconds, systemClock } from "#base";
import {
  BeforeClusterUpgrade,
  callHook,
  createExtensionClient,
  DiscoverVariables,
  GeneratePatches,
  proceed,
  waitFor,
} from "#extensions";
import { extensionConfig, extensionWarmUp } from "#reconcilers/extensionconfig";
import { scenario } from "#testkit";
import { createMaintenanceExtension } from "../../examples/extension/extension.ts";

const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => true } });
const open = createMaintenanceExtension({ isOpen: () => Promise.resolve(true) });
const closed = createMaintenanceExtension({ isOpen: () => Promise.resolve(false) });
const upgrade = {
  cluster: {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name: "c1", namespace: "default" },
    spec: {},
  },
  fromKubernetesVersion: "v1.34.0",
  toKubernetesVersion: "v1.35.0",
} as const;

describe("the extension of the examples", () => {
  test("lets clusters be upgraded while its window is open", async () => {
    expect(await callHook(open.fetch, BeforeClusterUpgrade, "maintenance", upgrade)).toEqual(proceed);
    expect(await callHook(closed.fetch, BeforeClusterUpgrade, "maintenance", upgrade)).toEqual(
      waitFor(seconds(30), "c1 is upgraded to v1.35.0 in the next maintenance window"),
    );
  });

  test("defines variables", async () => {
    const { variables } = await callHook(open.fetch, DiscoverVariables, "variables", {});
    expect(variables.map(({ name, required }) => [name, required])).toEqual([
      ["image", false],
      ["preLoadImages", false],
    ]);
  });

  test("changes templates by them", async () => {
    const { items } = await callHook(open.fetch, GeneratePatches, "images", {
      variables: [{ name: "image", value: "node:v1.35.0" }],
      items: [
        {
          uid: "1",
          holderReference: { apiVersion: "v1", kind: "K", namespace: "default", name: "k", fieldPath: "spec.ref" },
          object: {
            apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
            kind: "DevMachineTemplate",
            metadata: { name: "worker" },
            spec: { template: { spec: { backend: { docker: {} } } } },
          },
        },
      ],
    });
    expect(items.map(({ patch }) => JSON.parse(Buffer.from(patch, "base64").toString()) as unknown)).toEqual([
      { spec: { template: { spec: { backend: { docker: { customImage: "node:v1.35.0" } } } } } },
    ]);
  });

  test("is discovered by a manager", async (t) => {
    await using server = await open.listen({ host: "127.0.0.1" });
    await using world = await scenario(t, {
      kinds: [ExtensionConfig],
      way: "in-process",
      controllers: (manager, { client, clock }) => {
        const extensions = createExtensionClient({ client: manager.reader, log, clock });
        manager
          .add(extensionConfig, { extensions })
          .addRunnable(extensionWarmUp({ client, extensions, clock, log, readOnly: false }));
      },
    });
    await world.apply({
      apiVersion: ExtensionConfig.apiVersion,
      kind: "ExtensionConfig",
      metadata: { name: "maintenance" },
      spec: { clientConfig: { url: server.url, caBundle: server.caBundle }, namespaceSelector: {} },
    });
    await world.settle();
    const { status } = await world.get(ExtensionConfig, "maintenance");
    expect(status?.handlers?.map(({ name, timeoutSeconds }) => [name, timeoutSeconds])).toEqual([
      ["variables.maintenance", 10],
      ["images.maintenance", 10],
      ["maintenance.maintenance", 5],
    ]);
  });
});
