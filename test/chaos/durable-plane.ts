import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, noTime, systemClock } from "#base";
import {
  type ApiServer,
  type HttpServer,
  openApiServer,
  openLmdbStore,
  openPki,
  parseTokenFile,
  type Pki,
} from "#apiserver";
import type { Transport } from "#machinery";

/** A server over TLS on a folder, which can be stopped and started again on the same data. */
export interface DurablePlane extends AsyncDisposable {
  readonly pki: Pki;
  /** Who shows it may do everything. */
  readonly token: string;
  readonly port: number;
  /** The server as seen from inside, where no fault reaches. */
  readonly transport: Transport;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Forgets all history; only while it is stopped. */
  forgetHistory(): Promise<void>;
  /** Throws all data away; only while it is stopped. */
  forgetEverything(): void;
}

const token = "chaos-token";

export async function openDurablePlane(): Promise<DurablePlane> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-chaos-"));
  const clock = systemClock;
  const pki = await openPki({ folder, clock });
  const complaints: string[] = [];
  const destination = { write: (line: string) => complaints.push(line) };
  const log = createLogger({ format: "text", level: "error", clock, destination });
  const directory = (): string => join(folder, `data-${generation}`);
  let generation = 1;
  let running: { readonly server: ApiServer; readonly http: HttpServer } | undefined;

  const plane: DurablePlane = {
    pki,
    token,
    get port() {
      return theRunning().http.port;
    },
    get transport() {
      return theRunning().server.transport();
    },
    async start() {
      const server = await openApiServer({
        store: await openLmdbStore({ directory: directory() }),
        clock,
        log,
        random: () => 0.5,
        uuid: randomUUID,
        security: {
          authority: pki.authority,
          tokenKey: pki.tokenKey,
          issuer: "https://kubernetes.default.svc",
          staticTokens: parseTokenFile(`${token},admin,,system:masters\n`),
        },
        onFatal: (error) => complaints.push(error.message),
      });
      if (server.security === undefined) throw new Error("the server was opened without security");
      const tls = { cert: pki.serving.certificate, key: pki.serving.key, clientCa: pki.authority };
      running = { server, http: await server.listen({ security: server.security, tls, log, port: 0 }) };
    },
    async stop() {
      const { server, http } = theRunning();
      running = undefined;
      await http.close({ grace: noTime });
      await server.close();
    },
    async forgetHistory() {
      const store = await openLmdbStore({ directory: directory() });
      await store.compact(store.revision);
      await store.close();
    },
    forgetEverything() {
      generation += 1;
    },
    async [Symbol.asyncDispose]() {
      if (running !== undefined) await plane.stop();
      rmSync(folder, { recursive: true, force: true });
      if (complaints.length > 0) throw new Error(complaints.join(""));
    },
  };
  await plane.start();
  return plane;

  function theRunning() {
    if (running === undefined) throw new Error("the server is stopped");
    return running;
  }
}
