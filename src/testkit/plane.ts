import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import {
  type AdmissionPlugin,
  type ApiServer,
  openApiServer,
  openMemoryStore,
  openPki,
  writeKubeconfig,
} from "#apiserver";
import { createFakeClock, createLogger, type FakeClock, noTime, systemClock, type Timestamp } from "#base";
import { createHttpTransport, loadConnection } from "#client";
import type { Kind, KubeObject, Transport } from "#machinery";
import { installKinds, openEmbeddedServer } from "./embedded-server.ts";
import { openRealPlane } from "./real-plane.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The kubeconfig of a real kube-apiserver. */
    readonly realKubeconfig: string;
  }
}

/** How a world reaches its API server: as a caller in the process, over TLS, or a real one over TLS. */
export type Way = "in-process" | "tls" | "real";

/** An API server for a test, however it is reached. */
export interface Plane extends AsyncDisposable {
  readonly way: Way;
  readonly transport: Transport;
  readonly clock: FakeClock;
  /** Where objects go that do not say; of its own on a server that others use too. */
  readonly namespace: string;
  /**
   * Resolves when the server has nothing left to do by itself, as far as that can be known, with whether caches may
   * have something to catch up with.
   */
  settle(): Promise<boolean>;
  /** Makes the server serve what a definition says, for as long as the plane is open; resolves when it does. */
  install(definition: KubeObject): Promise<void>;
  /** Takes a kind away by the name of its definition, with all its objects; resolves when it is not served any more. */
  uninstall(name: string): Promise<void>;
}

/** What a plane is opened with. */
export interface PlaneOptions {
  /** The real server in `npm run test:real`, in the process otherwise, unless told. */
  readonly way?: Way | undefined;
  readonly kinds: readonly Kind[];
  /** Have no effect on a real server. */
  readonly plugins?: readonly AdmissionPlugin[];
  /** When the time of a server in the process begins; the others begin now. */
  readonly startsAt?: Timestamp | undefined;
}

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** Opens a plane that serves some kinds; on a real server where `npm run test:real` has one. */
export async function openPlane({ kinds, plugins = [], startsAt, ...options }: PlaneOptions): Promise<Plane> {
  const kubeconfig: string | undefined = inject("realKubeconfig");
  const { way = kubeconfig === undefined ? "in-process" : "real" } = options;
  if (way === "tls") return await openTlsPlane(kinds, plugins);
  if (way === "real") return await openRealPlane(kinds, kubeconfig);
  const time = startsAt === undefined ? {} : { clock: createFakeClock(startsAt) };
  const { server, transport, clock, ...rest } = await openEmbeddedServer({ kinds, plugins, ...time });
  const close = rest[Symbol.asyncDispose];
  return { ...ownPlane(way, { server, transport, clock }), [Symbol.asyncDispose]: close };
}

async function openTlsPlane(kinds: readonly Kind[], plugins: readonly AdmissionPlugin[]): Promise<Plane> {
  const folder = await mkdtemp(join(tmpdir(), "capstan-world-"));
  // Certificates are checked by the time of the machine.
  const clock = createFakeClock(systemClock.now());
  const log = createLogger({ format: "text", level: "error", clock, destination: process.stderr });
  const pki = await openPki({ folder, clock: systemClock });
  const server = await openApiServer({
    store: openMemoryStore(),
    clock,
    log,
    random: () => 0.5,
    uuid: randomUUID,
    plugins,
    security: { authority: pki.authority, tokenKey: pki.tokenKey, issuer: "https://kubernetes.default.svc" },
    onFatal: (error) => {
      throw error;
    },
  });
  const { security } = server;
  if (security === undefined) throw new Error("the server was opened without security");
  const tls = { cert: pki.serving.certificate, key: pki.serving.key, clientCa: pki.authority };
  const http = await server.listen({ security, answered: server.answered, tls, log, port: 0 });
  const path = join(folder, "kubeconfig");
  await writeKubeconfig(path, { server: `https://127.0.0.1:${http.port}`, pki });
  const transport = createHttpTransport(await loadConnection({ path }));
  await installKinds(transport, kinds);
  await server.settle();
  return {
    ...ownPlane("tls", { server, transport, clock }),
    async [Symbol.asyncDispose]() {
      transport.close();
      await http.close({ grace: noTime });
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

interface OwnServer {
  readonly server: ApiServer;
  readonly transport: Transport;
  readonly clock: FakeClock;
}

/** What holds of our own server however it is reached: nobody else uses it. */
function ownPlane(way: Way, { server, transport, clock }: OwnServer): Omit<Plane, typeof Symbol.asyncDispose> {
  return {
    way,
    transport,
    clock,
    namespace: "default",
    async settle() {
      await server.settle();
      // It does much by itself.
      return true;
    },
    async install(definition) {
      await transport.create(definitions, definition);
      await server.settle();
    },
    async uninstall(name) {
      await transport.delete(definitions, { name });
      await server.settle();
    },
  };
}
