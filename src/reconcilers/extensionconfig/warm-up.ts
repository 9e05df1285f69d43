import { ExtensionConfig } from "#api";
import {
  aggregate,
  CapstanError,
  type Clock,
  type Duration,
  formatDuration,
  type Logger,
  milliseconds,
  seconds,
  toError,
  wrap,
} from "#base";
import { type Client, DeadlineExceededError, withDeadline } from "#client";
import { decide } from "#conditions";
import type { Runnable } from "#control";
import type { ExtensionClient } from "#extensions";
import { bringUpToDate, factsAfter } from "./bring-up-to-date.ts";
import { Discovered } from "./discovered.ts";
import { WarmUpError } from "./errors.ts";
import type { DiscoveryFacts } from "./facts.ts";
import { validityOf } from "./validity.ts";

/** What a warm-up needs from outside. */
export interface WarmUpPorts {
  /** Reads and writes past every cache. */
  readonly client: Pick<Client, "list" | "get" | "patch" | "patchStatus">;
  readonly extensions: Pick<ExtensionClient, "discover" | "warmUp" | "register">;
  readonly clock: Clock;
  readonly log: Logger;
  /** True for a manager that only takes over what another one has found out. */
  readonly readOnly: boolean;
}

/** How long a warm-up tries, and how often. */
export interface WarmUpPace {
  /** A minute unless told. */
  readonly timeout?: Duration;
  /** Two seconds unless told; counted from the beginning of an attempt. */
  readonly interval?: Duration;
}

/** What one attempt came to: the ExtensionConfigs that can be used, and why others cannot. */
interface Attempt {
  readonly usable: readonly ExtensionConfig[];
  readonly errors: readonly Error[];
}

/** Asks all extensions, paused and deleted ones too, and opens the registry if all of them could be asked. */
export async function warmUpRegistry(ports: WarmUpPorts, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  open(await attempt(ports, signal), ports);
}

/** Warms the registry up, trying again for a while. Throws a WarmUpError where even the last attempt failed. */
export async function startWarmUp(
  ports: WarmUpPorts,
  { signal, ...pace }: WarmUpPace & { readonly signal: AbortSignal },
): Promise<void> {
  const { failed } = await keepTrying(ports, pace, signal);
  if (failed !== undefined) throw failed.error;
}

/**
 * Warms the registry up beside the controllers. Where some extension stays down, the registry is opened with the others
 * and that one is left to its own passes: no extension keeps a whole plane down.
 */
export function extensionWarmUp(ports: WarmUpPorts, pace: WarmUpPace = {}): Runnable {
  return {
    name: "extension-warm-up",
    leaderOnly: !ports.readOnly,
    async run({ signal }) {
      const { failed } = await keepTrying(ports, pace, signal);
      signal.throwIfAborted();
      if (failed === undefined) return;
      const { extensions, log } = ports;
      log.error("the registry of extensions opens without some of them", failed.error);
      extensions.warmUp([]);
      for (const config of failed.usable) {
        try {
          extensions.register(config);
        } catch (error) {
          log.error("an extension could not be registered", error, { config: config.metadata.name });
        }
      }
    },
  };
}

/** A warm-up that has not come to its end in time. */
interface FailedWarmUp {
  readonly error: WarmUpError;
  readonly usable: readonly ExtensionConfig[];
}

async function keepTrying(
  ports: WarmUpPorts,
  { timeout = seconds(60), interval = seconds(2) }: WarmUpPace,
  signal: AbortSignal,
): Promise<{ readonly failed?: FailedWarmUp }> {
  const { clock, log } = ports;
  const end = clock.elapsed() + timeout;
  let last: { readonly usable: readonly ExtensionConfig[]; readonly failure: Error } | undefined;
  for (;;) {
    const begun = clock.elapsed();
    const left = milliseconds(Math.max(0, end - begun));
    const made = await withDeadline({ clock, timeout: left, signal, what: "the warm-up" }, (ending) =>
      tryOnce(ports, ending),
    );
    if (made === undefined) return {};
    log.error("ExtensionConfig registry warmup failed", made.failure);
    // An attempt that was cut off says less than the one before it.
    if (last === undefined || !(made.failure instanceof DeadlineExceededError)) last = made;
    const pause = begun + interval - clock.elapsed();
    if (signal.aborted || clock.elapsed() + Math.max(0, pause) >= end) {
      const what = `ExtensionConfig registry warmup timed out after ${formatDuration(timeout)}`;
      return { failed: { usable: last.usable, error: new WarmUpError(what, { cause: last.failure }) } };
    }
    if (pause > 0) await clock.sleep(milliseconds(pause), { signal });
  }
}

/** One attempt; undefined where the registry is open after it. */
async function tryOnce(
  ports: WarmUpPorts,
  signal: AbortSignal,
): Promise<{ readonly usable: readonly ExtensionConfig[]; readonly failure: Error } | undefined> {
  let usable: readonly ExtensionConfig[] = [];
  try {
    const found = await attempt(ports, signal);
    usable = found.usable;
    open(found, ports);
    return undefined;
  } catch (error) {
    return { usable, failure: expected(error) };
  }
}

async function attempt(ports: WarmUpPorts, signal: AbortSignal): Promise<Attempt> {
  const usable: ExtensionConfig[] = [];
  const errors: Error[] = [];
  for (const config of await listConfigs(ports, signal)) {
    const { config: found, facts } = await look(config, ports, signal);
    const { next } = decide(Discovered, facts);
    if (next.kind === "retry") errors.push(next.error);
    else usable.push(found);
  }
  return { usable, errors };
}

async function listConfigs({ client }: WarmUpPorts, signal: AbortSignal): Promise<readonly ExtensionConfig[]> {
  try {
    return (await client.list(ExtensionConfig, { signal })).items;
  } catch (error) {
    throw wrap(expected(error), "failed to list ExtensionConfigs");
  }
}

async function look(
  config: ExtensionConfig,
  { client, extensions, clock, readOnly }: WarmUpPorts,
  signal: AbortSignal,
): Promise<{ readonly config: ExtensionConfig; readonly facts: DiscoveryFacts }> {
  const facts = factsAfter(config, { kind: "not-tried" });
  if (readOnly) return { config, facts: { ...facts, mode: "reading", validity: validityOf(config) } };
  const { config: found, ...learned } = await bringUpToDate(config, {
    client,
    extensions,
    clock,
    signal,
    withPause: false,
  });
  return { config: found, facts: { ...facts, ...learned } };
}

function open({ usable, errors }: Attempt, { extensions }: WarmUpPorts): void {
  const problem = aggregate(errors);
  if (problem !== undefined) throw problem;
  extensions.warmUp(usable);
}

/** An error thrown on purpose; any other ends the process, where somebody sees it. */
function expected(error: unknown): Error {
  if (error instanceof CapstanError || error instanceof AggregateError) return error;
  throw toError(error);
}
