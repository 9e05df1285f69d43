import { randomUUID } from "node:crypto";
import { createFakeClock, createLogger, type FakeClock, parseTimestamp } from "#base";
import { type ApiServer, openApiServer, openMemoryStore } from "#apiserver";
import { type Client, createClient } from "#client";
import { type CachedClient, type Caches, type CachesOptions, createCachedClient, createCaches } from "#control";
import type { Transport } from "#machinery";

/** A server in this process with caches on it; time stands still until the test moves it. */
export interface EmbeddedCaches extends CachedClient, AsyncDisposable {
  readonly server: ApiServer;
  /** A client that no cache knows of, as other programs are. */
  readonly other: Client;
  readonly caches: Caches;
  readonly clock: FakeClock;
  /** What was logged, from warnings on. */
  readonly log: readonly string[];
}

export interface EmbeddedOptions extends Pick<CachesOptions, "kinds" | "defaults" | "metrics"> {
  /** What the caches read through. */
  readonly through?: (transport: Transport) => Transport;
}

export async function openEmbeddedCaches({
  through = (same) => same,
  ...options
}: EmbeddedOptions = {}): Promise<EmbeddedCaches> {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const lines: string[] = [];
  const log = createLogger({
    format: "text",
    level: "warn",
    clock,
    destination: { write: (line) => lines.push(line) },
  });
  const server = await openApiServer({
    store: openMemoryStore(),
    clock,
    log,
    random: () => 0.5,
    uuid: randomUUID,
    onFatal: (error) => lines.push(error.message),
  });
  const other = createClient(server.transport(), { clock, fieldOwner: "other" });
  const client = createClient(through(server.transport()), { clock, fieldOwner: "test" });
  const caches = createCaches({ client, clock, random: () => 0.5, log, ...options });
  return {
    ...createCachedClient({ client, caches }),
    server,
    other,
    caches,
    clock,
    log: lines,
    async [Symbol.asyncDispose]() {
      await caches[Symbol.asyncDispose]();
      await server.close();
    },
  };
}
