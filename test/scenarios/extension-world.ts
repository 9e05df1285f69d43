import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestContext } from "vitest";
import { ExtensionConfig } from "#api";
import {
  createLogger,
  type FakeClock,
  hours,
  issueServing,
  seconds,
  type ServingCertificate,
  systemClock,
} from "#base";
import { createManager, type Manager } from "#control";
import { createExtensionClient, type ExtensionClient } from "#extensions";
import { type Client, createClient } from "#client";
import { extensionConfig, extensionWarmUp, readOnlyExtensionConfig } from "#reconcilers/extensionconfig";
import { scenario, type World } from "#testkit";

/** A certificate for an extension on this machine, from an authority of its own. */
export function aCertificate(names: readonly string[] = ["localhost", "127.0.0.1"]): ServingCertificate {
  const now = systemClock.instant();
  return issueServing({ names, notBefore: now - hours(1), notAfter: now + hours(1) });
}

/** PEM as ExtensionConfigs and Secrets carry it. */
export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** An ExtensionConfig as somebody applies it. */
export function aConfig(
  name: string,
  clientConfig: ExtensionConfig["spec"]["clientConfig"],
  metadata: ExtensionConfig["metadata"] = {},
): ExtensionConfig {
  return {
    apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
    kind: "ExtensionConfig",
    metadata: { name, ...metadata },
    spec: { clientConfig, namespaceSelector: {} },
  };
}

/** A world with a manager that discovers extensions. */
export interface ExtensionWorld extends World {
  readonly extensions: ExtensionClient;
  /** What the Discovered condition says, and the row that said it last. */
  discovered(name: string): Promise<{ readonly status?: string; readonly message?: string; readonly row?: string }>;
}

const silent = { write: () => true };

/** Opens a world whose manager writes; calls to extensions go over the network. */
export async function extensionWorld(t: TestContext): Promise<ExtensionWorld> {
  let extensions: ExtensionClient | undefined;
  const world = await scenario(t, {
    kinds: [ExtensionConfig],
    way: "in-process",
    controllers: (manager, { clock }) => {
      extensions = addExtensions(manager, clock, { readOnly: false });
    },
  });
  if (extensions === undefined) throw new Error("the world has no manager");
  const client = extensions;
  return {
    ...bound(world),
    extensions: client,
    async discovered(name) {
      const { status } = await world.get(ExtensionConfig, name);
      const found = status?.conditions?.find(({ type }) => type === "Discovered");
      const row = world.passes("ExtensionConfig", name).at(-1)?.verdicts.at(-1)?.row;
      return {
        ...(found === undefined ? {} : { status: found.status, message: found.message }),
        ...(row === undefined ? {} : { row }),
      };
    },
    async [Symbol.asyncDispose]() {
      client.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
