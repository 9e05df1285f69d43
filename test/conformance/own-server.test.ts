import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { createLogger, noTime, systemClock } from "#base";
import { openApiServer, openMemoryStore, openPki, writeKubeconfig } from "#apiserver";
import { behaviourSuite, type Subject } from "#apiserver/behaviour";
import { createHttpTransport, loadConnection } from "#client";
import { cacheSuite } from "./cache-suite.ts";
import { clientSuite } from "./client-suite.ts";

// What a client sees of our own server over TLS is what a caller inside the process sees of it.
const scratch = mkdtempSync(join(tmpdir(), "capstan-conformance-"));
afterAll(() => rmSync(scratch, { recursive: true }));
let folders = 0;

describe.each(["h2", "http/1.1"] as const)("our own server over %s", (protocol) => {
  behaviourSuite(() => open(protocol));
  describe("by kind", () => clientSuite(() => open(protocol)));
  describe("from caches", () => cacheSuite(() => open(protocol)));
});

describe("our own server in process", () => {
  clientSuite(() => open("none"));
  describe("from caches", () => cacheSuite(() => open("none")));
});

async function open(protocol: "h2" | "http/1.1" | "none"): Promise<Subject> {
  const folder = join(scratch, String(++folders));
  // A test cannot know when a request has arrived over the wire, so that time takes its own course.
  const clock = systemClock;
  const pki = await openPki({ folder, clock });
  const complaints: string[] = [];
  const log = createLogger({
    format: "text",
    level: "error",
    clock,
    destination: { write: (line) => complaints.push(line) },
  });
  const server = await openApiServer({
    store: openMemoryStore(),
    clock,
    log,
    random: () => 0.5,
    uuid: randomUUID,
    security: { authority: pki.authority, tokenKey: pki.tokenKey, issuer: "https://kubernetes.default.svc" },
    onFatal: (error) => complaints.push(error.message),
  });
  if (server.security === undefined) throw new Error("the server was opened without security");
  const { authority, serving } = pki;
  const http = await server.listen({
    security: server.security,
    answered: server.security.answeredResources,
    tls: { cert: serving.certificate, key: serving.key, clientCa: authority },
    log,
    port: 0,
  });
  const path = join(folder, "kubeconfig");
  await writeKubeconfig(path, { server: `https://127.0.0.1:${http.port}`, pki });
  const protocols = protocol === "none" ? [] : [protocol];
  const remote = createHttpTransport(await loadConnection({ path }), { protocols });
  return {
    transport: protocol === "none" ? server.transport() : remote,
    run: "w",
    async eventually(check) {
      await server.settle();
      await check();
    },
    async close() {
      remote.close();
      await http.close({ grace: noTime });
      await server.close();
      if (complaints.length > 0) throw new Error(complaints.join(""));
    },
  };
}
