import { randomUUID } from "node:crypto";
import { createFakeClock, createLogger, type FakeClock, parseTimestamp } from "#base";
import type { AdmissionPlugin } from "#apiserver/admission";
import type { Subject } from "#apiserver/behaviour";
import type { HistoryLimits } from "#apiserver/collect";
import type { Store } from "#apiserver/store";
import { type ApiServer, type ApiServerOptions, openApiServer } from "./api-server.ts";

/** A server in a test: time stands still until the test moves it. */
export interface TestServer extends Subject {
  readonly server: ApiServer;
  readonly clock: FakeClock;
  /** What went wrong behind the scenes. */
  readonly log: readonly string[];
}

export interface TestServerOptions {
  readonly plugins?: readonly AdmissionPlugin[];
  /** A number from 0 up to 1; always the same row of them unless told otherwise. */
  readonly random?: () => number;
  readonly webhookServices?: ApiServerOptions["webhookServices"];
  readonly history?: Partial<HistoryLimits>;
}

/** Opens a server over a store for a test; closing it closes the store. */
export async function openTestServer(store: Store, options: TestServerOptions = {}): Promise<TestServer> {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const log: string[] = [];
  const server = await openApiServer({
    store,
    clock,
    log: createLogger({ format: "text", level: "error", clock, destination: { write: (line) => log.push(line) } }),
    random: options.random ?? createRandom(1),
    uuid: randomUUID,
    plugins: options.plugins ?? [],
    webhookServices: options.webhookServices ?? new Map(),
    history: options.history ?? {},
    onFatal: (error) => log.push(error.message),
  });
  return {
    server,
    clock,
    log,
    transport: server.transport(),
    run: "t",
    advance: (duration) => clock.advance(duration),
    async eventually(check) {
      await server.settle();
      await check();
    },
    async close() {
      await server.close();
      if (log.length > 0) throw new Error(log.join(""));
    },
  };
}

/** Numbers from 0 up to 1, the same ones for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
