import { aggregate, quote, wrap } from "#base";
import type { ExtensionConfig } from "#api";
import { compileLabelSelector, parseGroupVersion, type Selector } from "#machinery";
import type { GroupVersionHook } from "../catalog/group-version-hook.ts";

/** How an extension is reached. */
export type ClientConfig = ExtensionConfig["spec"]["clientConfig"];

/** A handler as an ExtensionConfig's status names it. */
export type ExtensionHandler = NonNullable<NonNullable<ExtensionConfig["status"]>["handlers"]>[number];

/** A handler that can be called, and all that has to be known for it. */
export interface Registration {
  /** `<handler>.<ExtensionConfig>`. */
  readonly name: string;
  readonly extensionConfigName: string;
  readonly extensionConfigResourceVersion: string;
  readonly hook: GroupVersionHook;
  readonly namespaceSelector: Selector;
  readonly clientConfig: ClientConfig;
  /** Zero where the handler did not say. */
  readonly timeoutSeconds: number;
  /** `Fail` or `Ignore`; empty where the handler did not say. */
  readonly failurePolicy: string;
  readonly settings: { readonly [name: string]: string };
}

/** The registrations that an ExtensionConfig stands for; throws where its selector or a handler cannot be read. */
export function registrationsOf(config: ExtensionConfig): readonly Registration[] {
  const { name = "", resourceVersion = "" } = config.metadata;
  const { clientConfig, settings = {} } = config.spec;
  const context = `failed to add ExtensionConfig ${quote(name)} to registry`;
  const namespaceSelector = selectorOf(config, context);
  const errors: Error[] = [];
  const registrations = (config.status?.handlers ?? []).flatMap((handler): readonly Registration[] => {
    try {
      return [
        {
          name: handler.name,
          extensionConfigName: name,
          extensionConfigResourceVersion: resourceVersion,
          hook: hookOf(handler),
          namespaceSelector,
          clientConfig,
          timeoutSeconds: handler.timeoutSeconds ?? 0,
          failurePolicy: handler.failurePolicy ?? "",
          settings,
        },
      ];
    } catch (error) {
      errors.push(wrap(error, `failed to add extension handler ${quote(handler.name)} to registry`));
      return [];
    }
  });
  const problem = aggregate(errors);
  if (problem !== undefined) throw wrap(problem, context);
  return registrations;
}

function selectorOf({ spec }: ExtensionConfig, context: string): Selector {
  try {
    return compileLabelSelector(spec.namespaceSelector);
  } catch (error) {
    throw wrap(wrap(error, "failed to create namespaceSelector"), context);
  }
}

function hookOf({ name, requestHook: { apiVersion, hook } }: ExtensionHandler): GroupVersionHook {
  try {
    return { ...parseGroupVersion(apiVersion), hook };
  } catch (error) {
    throw wrap(error, `failed to parse GroupVersion ${quote(apiVersion)} of handler ${quote(name)}`);
  }
}
