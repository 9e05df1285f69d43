import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createLogger, noTime, systemClock } from "#base";
import { type ApiServer, openApiServer, openMemoryStore, parseTokenFile } from "#apiserver";
import type { Transport } from "#machinery";
import { type Front, openFront } from "./front.ts";
import { createTestPki, type KeyAndCertificate, type TestPki } from "./test-pki.ts";

/** A workload cluster of a test: our own API server over TLS, behind a front that a test can spoil. */
export interface WorkloadServer extends AsyncDisposable {
  readonly front: Front;
  readonly pki: TestPki;
  /** The port behind the front. */
  readonly port: number;
  /** Writes into the cluster without going over the wire. */
  readonly transport: Transport;
  /** What the Secret of the cluster says. */
  kubeconfig(token?: string): string;
}

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const tokenKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** What a server is opened with. */
export interface WorkloadServerOptions {
  /** The token of the administrator. */
  readonly token?: string;
  readonly pki?: TestPki;
  readonly serving?: KeyAndCertificate;
}

/** Opens a workload cluster. */
export async function openWorkloadServer(options: WorkloadServerOptions = {}): Promise<WorkloadServer> {
  const { token = "admin-token", pki = createTestPki(), serving = pki.serving() } = options;
  const server = await openServer(pki, token);
  const { security } = server;
  if (security === undefined) throw new Error("the server was opened without security");
  const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr });
  const http = await server.listen({
    security,
    answered: server.answered,
    tls: { ...serving, clientCa: pki.authority },
    log,
    port: 0,
  });
  const front = await openFront({ kind: "passes", to: http.port });
  return {
    front,
    pki,
    port: http.port,
    transport: server.transport(),
    kubeconfig: (used = token) => kubeconfigOf(front.port, pki, used),
    async [Symbol.asyncDispose]() {
      await front.close();
      await http.close({ grace: noTime });
      await server.close();
    },
  };
}

async function openServer(pki: TestPki, token: string): Promise<ApiServer> {
  return await openApiServer({
    store: openMemoryStore(),
    clock: systemClock,
    log: createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr }),
    random: () => 0.5,
    uuid: randomUUID,
    onFatal: (error) => {
      throw error;
    },
    security: {
      authority: pki.authority,
      tokenKey,
      issuer: "https://kubernetes.default.svc",
      staticTokens: parseTokenFile(`${token},admin,,system:masters\n`),
    },
  });
}

/** JSON is YAML. */
function kubeconfigOf(port: number, { authority }: TestPki, token: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [
      {
        name: "c",
        cluster: {
          server: `https://127.0.0.1:${port}`,
          "certificate-authority-data": Buffer.from(authority).toString("base64"),
        },
      },
    ],
    users: [{ name: "u", user: { token } }],
  });
}
