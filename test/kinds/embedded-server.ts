import { randomUUID } from "node:crypto";
import { type AdmissionPlugin, openApiServer, openMemoryStore } from "#apiserver";
import type { Subject } from "#apiserver/behaviour";
import { createFakeClock, createLogger, parseTimestamp } from "#base";
import type { Kind } from "#machinery";
import { install } from "./install.ts";

/** The embedded server in a test, where time stands still. */
export interface EmbeddedServer extends Subject {
  install(kind: Kind): Promise<void>;
}

/** Opens an embedded server that keeps everything in memory. */
export async function openEmbeddedServer(
  options: { readonly plugins?: readonly AdmissionPlugin[] } = {},
): Promise<EmbeddedServer> {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const server = await openApiServer({
    ...options,
    store: openMemoryStore(),
    clock,
    log: createLogger({ format: "text", level: "error", clock, destination: process.stderr }),
    random: () => 0.5,
    uuid: randomUUID,
    onFatal: (error) => {
      throw error;
    },
  });
  const subject: Subject = {
    transport: server.transport(),
    run: "kinds",
    async eventually(check) {
      await server.settle();
      await check();
    },
    close: () => server.close(),
  };
  return { ...subject, install: (kind) => install(subject, kind) };
}
