import { CapstanError, wrap } from "#base";
import type { GroupVersionHook } from "../catalog/group-version-hook.ts";
import type { ClientConfig } from "../registry/registration.ts";
import { extensionUrl } from "../wire/extension-url.ts";
import type { ExtensionWire } from "../wire/extension-wire.ts";

/** Throws where an extension cannot even be tried: it has no address, or nobody to trust. */
export function checkReach(config: ClientConfig, hook: GroupVersionHook, wire: ExtensionWire): void {
  try {
    extensionUrl(config, hook);
    wire.checkTrust({ caBundle: config.caBundle ?? "" });
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    throw wrap(error, "failed to get http client");
  }
}
