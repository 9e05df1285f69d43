import { annotations, type ExtensionConfig } from "#api";
import { isTrue } from "#conditions";
import {
  type DiscoveryFacts,
  extensionConfig,
  readDiscoveryFacts,
  readOnlyExtensionConfig,
} from "#reconcilers/extensionconfig";
import { factsAbout, judgeByTables } from "./judge-by-tables.ts";
import type { JudgedObject, Judging } from "./judged-object.ts";
import { refusingAccess } from "./refusing-access.ts";

/** Judges an ExtensionConfig, as the manager does that writes or the one that only reads. */
export async function judgeExtension(object: ExtensionConfig, judging: Judging): Promise<JudgedObject> {
  const { registry, mode } = factsAbout(object, judging.known);
  const ports = {
    extensions: {
      isReady: () => registry !== "cold",
      discover: refusingAccess,
      register: refusingAccess,
      unregister: refusingAccess,
    },
  };
  const unknown = registry === undefined ? ["registry"] : [];
  const learned = pauseFacts(object);
  const reconciler = mode === "reading" ? readOnlyExtensionConfig : extensionConfig;
  return await judgeByTables(reconciler, object, { ...judging, ports, learned, unknown, read: readDiscoveryFacts });
}

/** Whether an ExtensionConfig is paused can be told without writing it down. */
function pauseFacts(config: ExtensionConfig): Readonly<Partial<DiscoveryFacts>> {
  const annotated = Object.hasOwn(config.metadata.annotations ?? {}, annotations.paused);
  if (annotated !== isTrue(config, "Paused")) return { pause: { kind: "just-noted" } };
  return { pause: { kind: annotated ? "paused" : "none" } };
}
