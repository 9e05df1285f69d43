import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { KeyAndCertificate } from "./test-pki.ts";

/** A server that is none of ours. */
export interface ForeignServer extends AsyncDisposable {
  readonly port: number;
}

/** Answers every request alike, with a certificate of one's choice. */
export async function openAnsweringServer(
  certificate: KeyAndCertificate,
  answer: { readonly status: number; readonly body: string },
): Promise<ForeignServer> {
  return await openForeignServer(certificate, (_request, response) => {
    response.writeHead(answer.status);
    response.end(answer.body);
  });
}

/** Answers as badly as a test wants. */
export async function openForeignServer(
  certificate: KeyAndCertificate,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ForeignServer> {
  const server = createServer(certificate, answer);
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A process that passes everything on to a port, and that can be stopped like any other. */
export interface RelayProcess extends ForeignServer {
  signal(name: "SIGSTOP" | "SIGCONT"): void;
}

const relay = `
const { connect, createServer } = require("node:net");
const server = createServer((outer) => {
  const inner = connect(Number(process.argv[1]), "127.0.0.1");
  for (const [one, other] of [[outer, inner], [inner, outer]]) {
    one.on("error", () => undefined).once("close", () => other.destroy());
    one.pipe(other);
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/** Starts a relay in a process of its own. */
export async function startRelay(to: number): Promise<RelayProcess> {
  const child = spawn(process.execPath, ["-e", relay, String(to)], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await firstNumber(child);
  return {
    port,
    signal: (name) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function firstNumber({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error("the relay says nothing");
  for await (const line of stdout) return Number(String(line));
  throw new Error("the relay did not start");
}
