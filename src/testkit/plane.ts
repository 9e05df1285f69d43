import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdmissionPlugin, openApiServer, openMemoryStore, openPki, writeKubeconfig } from "#apiserver";
import {
  createFakeClock,
  createLogger,
  type FakeClock,
  milliseconds,
  noTime,
  systemClock,
  type Timestamp,
} from "#base";
import { createHttpTransport, loadConnection } from "#client";
import { fieldAt, isNotFound, type Kind, type Transport } from "#machinery";
import { installKinds, openEmbeddedServer } from "./embedded-server.ts";

/** How a world reaches its API server: as a caller in the process, over TLS, or a real one over TLS. */
export type Way = "in-process" | "tls" | "real";

/** An API server for a test, however it is reached. */
export interface Plane extends AsyncDisposable {
  readonly transport: Transport;
  readonly clock: FakeClock;
  /** Where objects go that do not say; of its own on a server that others use too. */
  readonly namespace: string;
  /** Resolves when the server has nothing left to do by itself, as far as that can be known. */
  settle(): Promise<void>;
}

/** What a plane is opened with. */
export interface PlaneOptions {
  readonly way: Way;
  readonly kinds: readonly Kind[];
  /** Have no effect on a real server. */
  readonly plugins: readonly AdmissionPlugin[];
  /** Of a real server. */
  readonly kubeconfig: string | undefined;
  /** When the time of a server in the process begins; the others begin now. */
  readonly startsAt: Timestamp | undefined;
}

const namespaces = { group: "", version: "v1", resource: "namespaces" };
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** Opens a plane that serves some kinds. */
export async function openPlane({ way, kinds, plugins, kubeconfig, startsAt }: PlaneOptions): Promise<Plane> {
  if (way === "tls") return await openTlsPlane(kinds, plugins);
  if (way === "real") return await openRealPlane(kinds, kubeconfig);
  const time = startsAt === undefined ? {} : { clock: createFakeClock(startsAt) };
  const { server, transport, clock, ...rest } = await openEmbeddedServer({ kinds, plugins, ...time });
  const close = rest[Symbol.asyncDispose];
  return { transport, clock, namespace: "default", settle: () => server.settle(), [Symbol.asyncDispose]: close };
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
    transport,
    clock,
    namespace: "default",
    settle: () => server.settle(),
    async [Symbol.asyncDispose]() {
      transport.close();
      await http.close({ grace: noTime });
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openRealPlane(kinds: readonly Kind[], path: string | undefined): Promise<Plane> {
  if (path === undefined) throw new Error("a world on a real server needs the kubeconfig of one: npm run test:real");
  const transport = createHttpTransport(await loadConnection({ path }));
  await installKinds(transport, kinds);
  for (const kind of kinds) await eventually(() => isServed(transport, kind));
  const namespace = `world-${randomUUID().slice(0, 8)}`;
  await transport.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  return {
    transport,
    clock: createFakeClock(systemClock.now()),
    namespace,
    settle: () => Promise.resolve(),
    async [Symbol.asyncDispose]() {
      await transport.delete(namespaces, { name: namespace });
      transport.close();
    },
  };
}

async function isServed(transport: Transport, kind: Kind): Promise<boolean> {
  const stored = await transport.get(definitions, { name: kind.crd().metadata.name ?? "" });
  const conditions = fieldAt(stored, "status", "conditions");
  const isEstablished =
    Array.isArray(conditions) &&
    conditions.some((one) => fieldAt(one, "type") === "Established" && fieldAt(one, "status") === "True");
  if (!isEstablished) return false;
  try {
    await transport.list(kind.resource);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** A server that others run says nothing when it is done, so that it has to be asked again. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await systemClock.sleep(milliseconds(50));
}
