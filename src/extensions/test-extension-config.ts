import type { ExtensionConfig } from "#api";
import { createLogger, type Logger, systemClock } from "#base";
import type { ExtensionHandler } from "./registry/registration.ts";

/** What a test says about an ExtensionConfig. */
export interface TestConfig {
  readonly name?: string;
  readonly resourceVersion?: string;
  readonly clientConfig: ExtensionConfig["spec"]["clientConfig"];
  readonly namespaceSelector?: NonNullable<ExtensionConfig["spec"]["namespaceSelector"]>;
  readonly settings?: { readonly [name: string]: string };
  readonly handlers?: readonly ExtensionHandler[];
}

/** An ExtensionConfig for all namespaces, otherwise as a test says. */
export function anExtensionConfig({
  name = "ext",
  resourceVersion = "1",
  handlers,
  ...spec
}: TestConfig): ExtensionConfig {
  return {
    apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
    kind: "ExtensionConfig",
    metadata: { name, resourceVersion, generation: 1 },
    spec: { namespaceSelector: {}, ...spec },
    ...(handlers === undefined ? {} : { status: { handlers } }),
  };
}

/** A log whose lines a test reads. */
export function recordedLog(): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const log = createLogger({
    format: "json",
    level: "debug",
    clock: systemClock,
    destination: { write: (line) => lines.push(line) },
  });
  return { log, lines };
}
