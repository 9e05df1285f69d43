import { randomUUID } from "node:crypto";
import { describe } from "vitest";
import { openApiServer, openMemoryStore } from "#apiserver";
import type { Subject } from "#apiserver/behaviour";
import { createFakeClock, createLogger, parseTimestamp } from "#base";
import { invalidObjects } from "./invalid-objects.ts";
import { kindSuite } from "./kind-suite.ts";

// The rules of the schemas are asked of the real server only, until this one evaluates them.
describe("the embedded server", () => {
  kindSuite(open, invalidObjects);
});

async function open(): Promise<Subject> {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const server = await openApiServer({
    store: openMemoryStore(),
    clock,
    log: createLogger({ format: "text", level: "error", clock, destination: process.stderr }),
    random: () => 0.5,
    uuid: randomUUID,
    onFatal: (error) => {
      throw error;
    },
  });
  return {
    transport: server.transport(),
    run: "kinds",
    async eventually(check) {
      await server.settle();
      await check();
    },
    close: () => server.close(),
  };
}
