import type { ExtensionConfig } from "#api";
import { conditionsOf, findCondition } from "#conditions";
import { describeKey, keyOf } from "#machinery";
import type { ValidityFact } from "./facts.ts";

/** Whether a reading manager can use an ExtensionConfig as it stands. */
export function validityOf(config: ExtensionConfig): ValidityFact {
  const error = problemOf(config);
  return error === undefined ? { kind: "valid" } : { kind: "invalid", error };
}

function problemOf(config: ExtensionConfig): string | undefined {
  const ref = describeKey(keyOf(config));
  if ((config.spec.clientConfig.caBundle ?? "") === "") return `caBundle is not set on ExtensionConfig ${ref}`;
  const discovered = findCondition(conditionsOf(config), "Discovered");
  if (discovered === undefined) return `Discovered condition not yet set on ExtensionConfig ${ref}`;
  const { status, observedGeneration = 0 } = discovered;
  const condition = `Discovered condition on ExtensionConfig ${ref}`;
  if (status !== "True") return `${condition} must have status: True (instead it has: ${status})`;
  const { generation = 0 } = config.metadata;
  if (observedGeneration === generation) return undefined;
  return `${condition} must have observedGeneration: ${generation} (instead it has: ${observedGeneration})`;
}
