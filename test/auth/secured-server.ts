import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createFakeClock, createLogger, type FakeClock, parseTimestamp } from "#base";
import { type ApiServer, openApiServer, openMemoryStore, type Store } from "#apiserver";
import { parseTokenFile, type Security } from "#apiserver/auth";

/** A server with security in a test: time stands still until the test moves it. */
export interface SecuredServer {
  readonly server: ApiServer;
  readonly security: Security;
  readonly clock: FakeClock;
  /** Closes it, and fails where something went wrong behind the scenes. */
  close(): Promise<void>;
}

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const tokenKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

export const issuer = "https://127.0.0.1:6443/";

/** Opens one; `admin-token` is the administrator's, `joe-token` is joe's. */
export async function openSecuredServer(store: Store = openMemoryStore()): Promise<SecuredServer> {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const problems: string[] = [];
  const destination = { write: (line: string) => problems.push(line) };
  const server = await openApiServer({
    store,
    clock,
    log: createLogger({ format: "text", level: "error", clock, destination }),
    random: () => 0.5,
    uuid: randomUUID,
    onFatal: (error) => problems.push(error.message),
    security: {
      authority: "no certificate",
      tokenKey,
      issuer,
      staticTokens: parseTokenFile('admin-token,admin,,system:masters\njoe-token,joe,7,"devs,testers"\n'),
    },
  });
  if (server.security === undefined) throw new Error("the server has no security");
  return {
    server,
    security: server.security,
    clock,
    async close() {
      await server.settle();
      await server.close();
      if (problems.length > 0) throw new Error(problems.join(""));
    },
  };
}
