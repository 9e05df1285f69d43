import type { ExtensionConfig } from "#api";
import { CapstanError, wrap } from "#base";
import { isTrue } from "#conditions";
import { defineStep, stop } from "#control";
import type { ExtensionClient } from "#extensions";
import { describeKey, keyOf, namespacedName, type ObjectKey } from "#machinery";
import { bringUpToDate, type UpToDate } from "./bring-up-to-date.ts";
import type { DiscoveryFacts } from "./facts.ts";
import { notePause } from "./pause.ts";
import * as texts from "./step-texts.ts";
import { validityOf } from "./validity.ts";

/** What the steps need from outside. */
export interface ExtensionConfigPorts {
  readonly extensions: Pick<ExtensionClient, "isReady" | "discover" | "register" | "unregister">;
}

const defineConfigStep = defineStep<ExtensionConfig, DiscoveryFacts, ExtensionConfigPorts>;

/** Until the registry is warm nothing is done at all. */
export const waitForRegistry = defineConfigStep({
  name: "wait-for-registry",
  text: "do nothing before the registry is warmed up",
  run: ({ facts }) => (facts.registry === "cold" ? stop : undefined),
});

/** A writing manager notes whether it may act, and stops there if that was news. */
export const respectPause = defineConfigStep({
  ...texts.notePause,
  learns: ["pause"],
  async run({ object, client, clock, learn, renew }) {
    const { pause, config } = await notePause(object, { client, clock });
    learn({ pause });
    renew(config);
    return pause.kind === "none" ? undefined : stop;
  },
});

/** A writing manager finds out what there is. */
export const findOut = defineConfigStep({
  ...texts.bringUpToDate,
  learns: ["authority", "discovery", "status"],
  async run({ object, client, clock, signal, ports, learn, renew }) {
    const { extensions } = ports;
    const { config, ...facts } = await bringUpToDate(object, { client, clock, signal, extensions, withPause: true });
    learn(facts);
    renew(config);
    return isUpToDate(facts) ? undefined : stop;
  },
});

/** A reading manager believes the condition that a writing one has noted. */
export const believePause = defineConfigStep({
  name: "believe-pause",
  text: "look whether a writing manager has noted that the ExtensionConfig is paused",
  observe: ({ object }) => (isTrue(object, "Paused") ? { pause: { kind: "paused" } } : {}),
  run: ({ facts }) => (facts.pause.kind === "paused" ? stop : undefined),
});

/** A reading manager looks whether it can use what it finds. */
export const validate = defineConfigStep({
  ...texts.validate,
  observe: ({ object }) => ({ validity: validityOf(object) }),
  run: ({ facts }) => (facts.validity.kind === "invalid" ? stop : undefined),
});

/** What is known and written can be called. Where something failed, what was registered before stays. */
export const registerHandlers = defineConfigStep({
  ...texts.registerHandlers,
  run({ object, ports }) {
    named(`failed to register ExtensionConfig ${namespacedName(keyOf(object))}`, () =>
      ports.extensions.register(object),
    );
  },
});

/** An ExtensionConfig on its way out is not called any more, whether it is paused or not. */
export const unregisterHandlers = defineConfigStep({
  ...texts.unregisterHandlers,
  run: ({ object, ports }) => unregister(keyOf(object), ports),
});

/** Forgets the handlers of an ExtensionConfig, which need not be there any more. */
export function unregister(key: ObjectKey, { extensions }: Pick<ExtensionConfigPorts, "extensions">): void {
  named(`failed to unregister ExtensionConfig ${describeKey(key)}`, () => extensions.unregister(key));
}

function isUpToDate({ authority, discovery, status }: Omit<UpToDate, "config">): boolean {
  return authority.kind === "settled" && discovery.kind === "found" && status.kind === "written";
}

function named(context: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    throw wrap(error, context);
  }
}
