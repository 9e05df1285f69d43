import { ExtensionConfig } from "#api";
import { requeueAfter, seconds } from "#base";
import { defineReconciler, isChanged, type ReconcilerDeclaration, related } from "#control";
import { describeKey, keyOf } from "#machinery";
import { configsTrusting, Secret } from "./authority-secret.ts";
import { Discovered } from "./discovered.ts";
import type { DiscoveryFacts } from "./facts.ts";
import {
  believePause,
  type ExtensionConfigPorts,
  findOut,
  registerHandlers,
  respectPause,
  unregister,
  unregisterHandlers,
  validate,
  waitForRegistry,
} from "./steps.ts";

/** What managers of both kinds have in common. */
function declared(mode: DiscoveryFacts["mode"]) {
  return {
    name: "extensionconfig",
    kind: ExtensionConfig,
    facts: (object, { ports }) => ({
      config: describeKey(keyOf(object)),
      mode,
      registry: ports.extensions.isReady() ? "ready" : "cold",
      deleting: object.metadata.deletionTimestamp !== undefined,
      pause: { kind: "none" },
      validity: { kind: "valid" },
      authority: { kind: "settled" },
      discovery: { kind: "not-tried" },
      status: { kind: "written" },
    }),
    onDelete: [waitForRegistry, unregisterHandlers],
    onGone: (key, { ports }) => {
      if (!ports.extensions.isReady()) return requeueAfter(seconds(10), "the registry is warming up");
      return unregister(key, ports);
    },
    conditions: [Discovered],
  } satisfies Partial<ReconcilerDeclaration<ExtensionConfig, DiscoveryFacts, ExtensionConfigPorts>>;
}

/** Asks extensions what they have, writes it down and keeps the registry. */
export const extensionConfig = defineReconciler<ExtensionConfig, DiscoveryFacts, ExtensionConfigPorts>({
  ...declared("writing"),
  watches: [related(Secret, configsTrusting, { predicate: isChanged, metadataOnly: true })],
  steps: [waitForRegistry, respectPause, findOut, registerHandlers],
});

/**
 * Keeps the registry of a manager that asks nobody and only takes over what a writing one has found out. Beside that one
 * it leaves the condition to it; where there is none, it reports what it sees.
 */
export const readOnlyExtensionConfig = defineReconciler<ExtensionConfig, DiscoveryFacts, ExtensionConfigPorts>({
  ...declared("reading"),
  steps: [waitForRegistry, believePause, validate, registerHandlers],
  conditionWriting: () => "apply-where-free",
});
