import { Agent } from "node:https";
import { type Clock, type Duration, seconds } from "#base";
import type { JsonObject } from "#machinery";
import { CalloutError } from "./errors.ts";
import { exchange } from "./exchange.ts";
import type { HookTarget } from "./hook-target.ts";
import { objectIn } from "./answered-object.ts";
import { addressOf, type HostAndPort, type ServiceAddressesOptions } from "./service-addresses.ts";

export interface CalloutOptions {
  readonly clock: Clock;
  readonly services: ServiceAddressesOptions;
  /** Ends every call that is under way. */
  readonly signal: AbortSignal;
}

/** A question to a webhook. */
export interface HookQuestion {
  /** JSON. */
  readonly body: string;
  readonly timeout: Duration;
  /** By what name this server introduces itself. */
  readonly userAgent: string;
  readonly signal?: AbortSignal | undefined;
}

/** Calls webhooks over HTTPS. Connections are kept and used again, for each webhook its own. */
export interface Callout {
  /** The object that a webhook answers with; every failure is a CalloutError. */
  ask(target: HookTarget, question: HookQuestion): Promise<JsonObject>;
  close(): void;
}

// As many as the real server keeps clients for.
const mostAgents = 200;
const mostIdleConnections = 8;
// An answer is about as long as its question; a short question may have a longer one.
const leastAllowed = 16 * 1024 * 1024;
const allowedTimes = 8;

export function createCallout({ clock, services, signal: stop }: CalloutOptions): Callout {
  const agents = new Map<string, Agent>();

  function agentFor({ authority, authorities = "" }: HookTarget, { host, port }: HostAndPort): Agent {
    const key = `${authority} ${host} ${port} ${authorities}`;
    const known = agents.get(key);
    const agent = known ?? new Agent({ keepAlive: true, maxFreeSockets: mostIdleConnections });
    // The one that was used longest ago comes first.
    agents.delete(key);
    agents.set(key, agent);
    for (const [oldest, idle] of agents) {
      if (agents.size <= mostAgents) break;
      agents.delete(oldest);
      idle.destroy();
    }
    return agent;
  }

  return {
    async ask(target, { body, timeout, userAgent, signal }) {
      const query = `?timeout=${Math.ceil(timeout / seconds(1))}s`;
      const address = resolved(target, query);
      const mostBytes = Math.max(leastAllowed, allowedTimes * body.length);
      const agent = agentFor(target, address);
      return await within(timeout, [stop, ...(signal === undefined ? [] : [signal])], async (ended) =>
        objectIn(await exchange({ target, address, agent, query, userAgent, body, mostBytes, signal: ended })),
      );
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };

  /** Lets something run until it is over, its time is, or one of the signals ends it. */
  async function within<T>(
    timeout: Duration,
    signals: readonly AbortSignal[],
    run: (ended: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const end = new AbortController();
    const done = new AbortController();
    const cancel = () => end.abort(new CalloutError("context canceled"));
    for (const each of signals) {
      if (each.aborted) cancel();
      each.addEventListener("abort", cancel);
    }
    clock.sleep(timeout, { signal: done.signal }).then(
      () => end.abort(new CalloutError("context deadline exceeded")),
      () => undefined,
    );
    try {
      return await run(end.signal);
    } finally {
      done.abort();
      for (const each of signals) each.removeEventListener("abort", cancel);
    }
  }

  function resolved({ place, url }: HookTarget, query: string): HostAndPort {
    if (place.kind === "host") return { host: place.host, port: place.port };
    try {
      return addressOf(services, place);
    } catch (error) {
      if (!(error instanceof CalloutError)) throw error;
      throw new CalloutError(`Post "${url}${query}": ${error.message}`, { cause: error });
    }
  }
}
