import { annotations, type ExtensionConfig } from "#api";
import { isTrue } from "#conditions";
import type { DiscoveryFacts } from "#reconcilers/extensionconfig";

/** Whether an ExtensionConfig is paused can be told without writing it down. */
export function pauseFacts(config: ExtensionConfig): Readonly<Partial<DiscoveryFacts>> {
  const annotated = Object.hasOwn(config.metadata.annotations ?? {}, annotations.paused);
  if (annotated !== isTrue(config, "Paused")) return { pause: { kind: "just-noted" } };
  return { pause: { kind: annotated ? "paused" : "none" } };
}
