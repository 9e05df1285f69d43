import { randomUUID } from "node:crypto";
import { type AdmissionPlugin, type ApiServer, openApiServer, openMemoryStore } from "#apiserver";
import { createFakeClock, createLogger, type FakeClock, parseTimestamp } from "#base";
import { isAlreadyExists, type Kind, type Transport } from "#machinery";

/** An API server in the process of a test, where time stands still until the test moves it. */
export interface EmbeddedServer extends AsyncDisposable {
  readonly server: ApiServer;
  readonly transport: Transport;
  readonly clock: FakeClock;
}

/** What an embedded server is opened with. */
export interface EmbeddedServerOptions {
  readonly kinds?: readonly Kind[];
  readonly plugins?: readonly AdmissionPlugin[];
  readonly clock?: FakeClock;
}

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** Opens a server that keeps everything in memory and serves some kinds. */
export async function openEmbeddedServer({
  kinds = [],
  plugins = [],
  clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z")),
}: EmbeddedServerOptions = {}): Promise<EmbeddedServer> {
  const server = await openApiServer({
    store: openMemoryStore(),
    clock,
    log: createLogger({ format: "text", level: "error", clock, destination: process.stderr }),
    random: () => 0.5,
    uuid: randomUUID,
    plugins,
    onFatal: (error) => {
      throw error;
    },
  });
  const transport = server.transport();
  await installKinds(transport, kinds);
  await server.settle();
  return { server, transport, clock, [Symbol.asyncDispose]: () => server.close() };
}

/** Makes a server serve kinds that it may serve already. */
export async function installKinds(transport: Transport, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) {
    try {
      await transport.create(definitions, kind.crd());
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}
