import type { Clock, Duration, Logger } from "#base";
import { noTime } from "#base";
import { type Client, createClient } from "#client";
import { type ApiServer, type HttpServer, openApiServer, openMemoryStore } from "#apiserver";
import { ApiError, type StatusReason } from "#machinery";
import type { ServerCertificate } from "./authority.ts";

/** What a simulated cluster needs from outside. */
export interface WorkloadServerTools {
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  readonly uuid: () => string;
  /** The address on which the servers listen. */
  readonly host: string;
}

/** The API server of one simulated cluster. */
export interface WorkloadServer {
  /** Where it listens, whether it does at the moment or not. */
  readonly port: number;
  /** Reaches it without the network, even while it is stopped. */
  readonly client: Client;
  readonly isListening: boolean;
  /** How long every answer is held back. */
  delay: Duration;
  /** Lets go of the port; what it knows stays. */
  pause(): Promise<void>;
  /** Listens again, on the same port. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Who shows a certificate of this group's may do everything; nobody else gets in. */
const administrators = "system:masters";

/** Opens the API server of a simulated cluster, lets its objects be made, and listens when they are there. */
export async function openWorkloadServer(
  tools: WorkloadServerTools,
  {
    tls,
    port,
    fill,
  }: {
    readonly tls: ServerCertificate;
    /** 0 takes any that is free. */
    readonly port: number;
    readonly fill: (client: Client) => Promise<void>;
  },
): Promise<WorkloadServer> {
  const { clock, log, random, uuid } = tools;
  const failed = (error: Error) => log.error("a simulated API server failed", error);
  const engine = await openApiServer({ store: openMemoryStore(), clock, log, random, uuid, onFatal: failed });
  try {
    const client = createClient(engine.transport(), { fieldOwner: "capstan-dev" });
    await fill(client);
    const server = new ListeningServer(engine, client, tools, tls);
    await server.listen(port);
    return server;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

class ListeningServer implements WorkloadServer {
  delay: Duration = noTime;
  readonly client: Client;
  readonly #engine: ApiServer;
  readonly #tools: WorkloadServerTools;
  readonly #tls: ServerCertificate;
  #http: HttpServer | undefined;
  #port = 0;

  constructor(engine: ApiServer, client: Client, tools: WorkloadServerTools, tls: ServerCertificate) {
    this.#engine = engine;
    this.client = client;
    this.#tools = tools;
    this.#tls = tls;
  }

  get port(): number {
    return this.#port;
  }

  get isListening(): boolean {
    return this.#http !== undefined;
  }

  async listen(port: number): Promise<void> {
    const { log, host, clock } = this.#tools;
    this.#http = await this.#engine.listen({
      host,
      port,
      log,
      tls: { cert: this.#tls.certificate, key: this.#tls.key, clientCa: this.#tls.authority },
      answered: this.#engine.answered,
      security: {
        authenticate: async ({ tlsPeer }) => {
          if (this.delay > 0) await clock.sleep(this.delay);
          if (tlsPeer?.trusted !== true) throw refusal(401, "Unauthorized", "Unauthorized");
          const { CN: name, O: groups } = tlsPeer.certificate.subject;
          return { name: textOf(name), groups: [groups].flat().filter((group) => group !== undefined) };
        },
        authorize: (caller) =>
          caller.groups.includes(administrators)
            ? Promise.resolve()
            : Promise.reject(refusal(403, "Forbidden", `${caller.name} is no administrator of this cluster`)),
      },
    });
    this.#port = this.#http.port;
  }

  async pause(): Promise<void> {
    const http = this.#http;
    this.#http = undefined;
    await http?.close({ grace: noTime });
  }

  async resume(): Promise<void> {
    if (this.#http === undefined) await this.listen(this.#port);
  }

  async close(): Promise<void> {
    await this.pause();
    await this.#engine.close();
  }
}

function refusal(httpCode: number, reason: StatusReason, message: string): ApiError {
  return new ApiError({ httpCode, reason, message });
}

function textOf(name: string | readonly string[] | undefined): string {
  return [name].flat()[0] ?? "";
}
