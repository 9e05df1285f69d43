import { ExtensionConfig } from "#api";
import { CapstanError, type Clock, describeError, wrap } from "#base";
import { conditionOf, conditionsOf, decide, type DeprecatedTwin, setCondition, setDeprecatedTwin } from "#conditions";
import type { PassClient } from "#control";
import type { ExtensionClient } from "#extensions";
import { describeKey, keyOf } from "#machinery";
import { wishedAuthority } from "./authority-secret.ts";
import { Discovered } from "./discovered.ts";
import type { AuthorityFact, DiscoveryFact, DiscoveryFacts, StatusFact } from "./facts.ts";
import { withPaused } from "./pause.ts";
import { withStatus, writeStatus } from "./status-write.ts";

/** What bringing an ExtensionConfig up to date needs from outside. */
export interface UpToDateTools {
  readonly client: Pick<PassClient, "get" | "patch" | "patchStatus">;
  readonly extensions: Pick<ExtensionClient, "discover">;
  readonly clock: Pick<Clock, "now">;
  readonly signal: AbortSignal;
  /** Whether Paused comes along, in the newest generation; in a warm-up nobody looks at it. */
  readonly withPause: boolean;
}

/** What came of it, and the ExtensionConfig as the server has it now. */
export interface UpToDate extends Pick<DiscoveryFacts, "authority" | "discovery" | "status"> {
  readonly config: ExtensionConfig;
}

const settled: AuthorityFact = { kind: "settled" };
const written: StatusFact = { kind: "written" };
const notTried: DiscoveryFact = { kind: "not-tried" };

/**
 * Takes over the certificate authority, asks the extension for its handlers and writes both down. The authority goes
 * first and on its own, because calls need it and because the condition has to observe the generation that comes of it.
 */
export async function bringUpToDate(config: ExtensionConfig, tools: UpToDateTools): Promise<UpToDate> {
  let current = config;
  try {
    current = await settleAuthority(config, tools);
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { config, authority: { kind: "failed", error: describeError(error) }, discovery: notTried, status: written };
  }
  const asked = await ask(current, tools);
  // What was just patched is as the server has it; that it is not paused in this generation either comes next time.
  const bumps = tools.withPause && current === config;
  const base = bumps ? withStatus(current, { conditions: withPaused(current, tools.clock) }) : current;
  try {
    const reported = withDiscovery(base, asked, tools.clock);
    const stored = await writeStatus(current, reported, tools.client);
    return { config: stored, authority: settled, discovery: asked.fact, status: written };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    const status: StatusFact = { kind: "not-written", error: describeError(error) };
    return { config: current, authority: settled, discovery: asked.fact, status };
  }
}

/** What an extension said when it was asked. */
export interface Asked {
  readonly fact: DiscoveryFact;
  readonly handlers: NonNullable<NonNullable<ExtensionConfig["status"]>["handlers"]>;
}

/** Asks an extension for its handlers. One that cannot be asked has none. */
export async function ask(
  config: ExtensionConfig,
  { extensions, signal }: Pick<UpToDateTools, "extensions" | "signal">,
): Promise<Asked> {
  try {
    const { status } = await extensions.discover(config, { signal });
    const handlers = status?.handlers ?? [];
    return { fact: { kind: "found", handlers: handlers.map(({ name }) => name) }, handlers };
  } catch (error) {
    // Whoever was told to stop has learned nothing about the extension.
    signal.throwIfAborted();
    if (!(error instanceof CapstanError)) throw error;
    return { fact: { kind: "failed", error: describeError(error) }, handlers: [] };
  }
}

/** How readers of v1beta1 expect the condition. */
const twin: DeprecatedTwin = {
  type: Discovered.type,
  severity: "Error",
  reasons: { NotDiscovered: "DiscoveryFailed" },
};

/** The ExtensionConfig with what its extension said in its status, in memory. */
export function withDiscovery(
  config: ExtensionConfig,
  { fact, handlers }: Asked,
  { now }: Pick<Clock, "now">,
): ExtensionConfig {
  const { report } = decide(Discovered, factsAfter(config, fact));
  const condition = conditionOf(Discovered, report);
  if (condition === undefined) return config;
  const { generation = 0 } = config.metadata;
  return withStatus(config, {
    handlers,
    conditions: setCondition(conditionsOf(config), condition, { now: now(), generation }),
    deprecated: setDeprecatedTwin(config.status?.deprecated?.v1beta1?.conditions ?? [], condition, {
      twin,
      now: now(),
    }),
  });
}

/** The facts of a pass in which nothing kept the extension from being asked. */
export function factsAfter(config: ExtensionConfig, discovery: DiscoveryFact): DiscoveryFacts {
  return {
    config: describeKey(keyOf(config)),
    mode: "writing",
    registry: "ready",
    deleting: false,
    pause: { kind: "none" },
    validity: { kind: "valid" },
    authority: settled,
    discovery,
    status: written,
  };
}

async function settleAuthority(config: ExtensionConfig, { client, signal }: UpToDateTools): Promise<ExtensionConfig> {
  const wished = await wishedAuthority(config, { client, signal });
  if (wished === (config.spec.clientConfig.caBundle ?? "")) return config;
  // An empty authority is none.
  const caBundle = wished === "" ? null : wished;
  try {
    const patch = { spec: { clientConfig: { caBundle } } };
    return await client.patch(ExtensionConfig, keyOf(config), { kind: "merge", patch });
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    throw wrap(error, `failed to patch ExtensionConfig ${describeKey(keyOf(config))}`);
  }
}
