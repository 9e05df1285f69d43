import { aggregate, quote, toError, wrap } from "#base";
import type { ExtensionConfig } from "#api";
import { describeGroupHook, type GroupHook } from "../catalog/group-version-hook.ts";
import { RegistryError } from "../errors.ts";
import { type Registration, registrationsOf } from "./registration.ts";

/** Knows which handlers can be called. Cold until it was warmed up once, and until then refuses everything else. */
export interface ExtensionRegistry {
  /** Fills a cold registry; on any error it stays cold and empty. */
  warmUp(configs: readonly ExtensionConfig[] | undefined): void;
  /** Once true, true for ever. */
  isReady(): boolean;
  /** Replaces what an ExtensionConfig had registered; where that fails, nothing of it is left. */
  add(config: ExtensionConfig | undefined): void;
  /** Drops what an ExtensionConfig had registered. */
  remove(config: { readonly name: string } | undefined): void;
  /** The handlers of a hook, whatever its version, in the order of their registration. */
  list(hook: GroupHook): readonly Registration[];
  /** One handler by its registered name. */
  get(name: string): Registration;
}

/** Makes a cold registry. */
export function createRegistry(): ExtensionRegistry {
  const handlers = new Map<string, Registration>();
  let isReady = false;

  function drop(configName: string): void {
    for (const [name, { extensionConfigName }] of handlers)
      if (extensionConfigName === configName) handlers.delete(name);
  }

  function replace(config: ExtensionConfig): void {
    drop(config.metadata.name ?? "");
    for (const registration of registrationsOf(config)) {
      // A name that another ExtensionConfig had goes over to this one, and to the end of the list.
      handlers.delete(registration.name);
      handlers.set(registration.name, registration);
    }
  }

  return {
    warmUp(configs) {
      const context = "failed to warm up registry";
      if (configs === undefined) throw refusal(`${context}: ${nilArgument("WarmUp ExtensionConfigList")}`);
      if (isReady) {
        const why = "WarmUp cannot be called on a registry which has already been warmed up";
        throw refusal(`${context}: invalid operation: ${why}`);
      }
      const problem = aggregate(configs.map((config) => attempt(() => replace(config))));
      if (problem !== undefined) {
        handlers.clear();
        throw wrap(problem, context);
      }
      isReady = true;
    },

    isReady: () => isReady,

    add(config) {
      if (config === undefined)
        throw refusal(`failed to add ExtensionConfig to registry: ${nilArgument("Add extensionConfig")}`);
      if (!isReady) {
        const context = `failed to add ExtensionConfig ${quote(config.metadata.name ?? "")} to registry`;
        throw refusal(`${context}: ${coldOperation("Add")}`);
      }
      replace(config);
    },

    remove(config) {
      if (config === undefined)
        throw refusal(`failed to remove ExtensionConfig from registry: ${nilArgument("Remove ExtensionConfig")}`);
      if (!isReady) {
        const context = `failed to remove ExtensionConfig ${quote(config.name)} from registry`;
        throw refusal(`${context}: ${coldOperation("Remove")}`);
      }
      drop(config.name);
    },

    list({ group, hook }) {
      const context = "failed to list extension handlers";
      const empty = group === "" ? "gh.Group" : hook === "" ? "gh.Hook" : undefined;
      if (empty !== undefined)
        throw refusal(`${context}: invalid argument: when calling List ${empty} must not be empty`);
      if (!isReady) {
        const groupHook = quote(describeGroupHook({ group, hook }));
        throw refusal(`${context} for GroupHook ${groupHook}: ${coldOperation("List")}`);
      }
      return [...handlers.values()].filter((handler) => handler.hook.group === group && handler.hook.hook === hook);
    },

    get(name) {
      const context = `failed to get extension handler ${quote(name)} from registry`;
      if (!isReady) throw refusal(`${context}: invalid operation: Get cannot be called on a registry not yet ready`);
      const registration = handlers.get(name);
      if (registration === undefined)
        throw refusal(`${context}: handler with name ${quote(name)} has not been registered`);
      return registration;
    },
  };
}

function refusal(message: string): RegistryError {
  return new RegistryError(message);
}

function nilArgument(argument: string): string {
  return `invalid argument: when calling ${argument} must not be nil`;
}

function coldOperation(operation: string): string {
  return `invalid operation: ${operation} cannot be called on a registry which has not been warmed up`;
}

function attempt(run: () => void): Error | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return toError(error);
  }
}
