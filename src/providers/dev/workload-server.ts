import type { Clock, Duration, Logger } from "#base";
import { noTime } from "#base";
import { type Client, createClient } from "#client";
import type { ApiServer, HttpServer } from "#apiserver";
import { ApiError, type StatusReason } from "#machinery";
import type { ApiServerBreak } from "./breaks.ts";
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
  /** Breaks it on purpose, or makes it whole: stopped, it lets go of its port, and keeps what it knows. */
  breakAs(broken: ApiServerBreak): Promise<void>;
  close(): Promise<void>;
}

/** Who shows a certificate of this group's may do everything; nobody else gets in. */
const administrators = "system:masters";

/** What the API server of a simulated cluster is opened with. */
export interface WorkloadServerOpening {
  readonly tls: ServerCertificate;
  /** 0 takes any that is free. */
  readonly port: number;
  /** What is wrong with it from the beginning; nothing unless told. */
  readonly broken?: ApiServerBreak;
  /** Makes the objects that it has before anybody reaches it. */
  readonly fill: (client: Client) => Promise<void>;
}

/** Opens the API server of a simulated cluster, lets its objects be made, and listens when they are there. */
export async function openWorkloadServer(
  tools: WorkloadServerTools,
  { tls, port, broken = { kind: "none" }, fill }: WorkloadServerOpening,
): Promise<WorkloadServer> {
  const { clock, log, random, uuid } = tools;
  const failed = (error: Error) => log.error("a simulated API server failed", error);
  // Whoever only reads what this provider reports needs no server.
  const { openApiServer, openMemoryStore } = await import("#apiserver");
  const engine = await openApiServer({ store: openMemoryStore(), clock, log, random, uuid, onFatal: failed });
  try {
    const client = createClient(engine.transport(), { fieldOwner: "capstan-dev" });
    await fill(client);
    const server = new ListeningServer(engine, client, tools, tls);
    await server.listen(port, broken);
    return server;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

class ListeningServer implements WorkloadServer {
  readonly client: Client;
  readonly #engine: ApiServer;
  readonly #tools: WorkloadServerTools;
  readonly #tls: ServerCertificate;
  #http: HttpServer | undefined;
  #port = 0;
  #delay: Duration = noTime;

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

  /** A server that is stopped from the beginning never answers anybody, but has to have a port. */
  async listen(port: number, broken: ApiServerBreak): Promise<void> {
    this.#port = port;
    if (port === 0 || broken.kind !== "stopped") await this.#resume();
    await this.breakAs(broken);
  }

  async breakAs(broken: ApiServerBreak): Promise<void> {
    this.#delay = broken.kind === "slow" ? broken.delay : noTime;
    if (broken.kind === "stopped") await this.#pause();
    else await this.#resume();
  }

  async #resume(): Promise<void> {
    if (this.#http !== undefined) return;
    const { log, host, clock } = this.#tools;
    this.#http = await this.#engine.listen({
      host,
      port: this.#port,
      log,
      tls: { cert: this.#tls.certificate, key: this.#tls.key, clientCa: this.#tls.authority },
      answered: this.#engine.answered,
      security: {
        authenticate: async ({ tlsPeer }) => {
          if (this.#delay > 0) await clock.sleep(this.#delay);
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

  async #pause(): Promise<void> {
    const http = this.#http;
    this.#http = undefined;
    await http?.close({ grace: noTime });
  }

  async close(): Promise<void> {
    await this.#pause();
    await this.#engine.close();
  }
}

function refusal(httpCode: number, reason: StatusReason, message: string): ApiError {
  return new ApiError({ httpCode, reason, message });
}

function textOf(name: string | readonly string[] | undefined): string {
  return [name].flat()[0] ?? "";
}
