import { access, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fetchPasses, type Passes } from "#cli";
import {
  type Client,
  type Connection,
  createClient,
  createHttpTransport,
  loadConnection,
  NoConnectionError,
} from "#client";
import { fieldAt } from "#machinery";
import { UsageError } from "../errors.ts";

/** A plane that runs somewhere. */
export interface ReachedPlane extends Disposable {
  readonly client: Client;
  /** Where objects live that do not say. */
  readonly namespace: string;
  /** What the manager beside the kubeconfig says of its last passes; absent where none serves them. */
  readonly passes?: Passes;
}

/** The flags with which a plane is found. */
export interface ReachFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Where `capstan up` tells how its manager is asked, beside its kubeconfig. */
export const diagnosticsFile = "diagnostics.json";

/** Finds the plane of `--kubeconfig`, of KUBECONFIG, or of `capstan up`. */
export async function reachPlane({ kubeconfig, context }: ReachFlags): Promise<ReachedPlane> {
  const own = join(homedir(), ".capstan", "kubeconfig");
  const named = kubeconfig ?? process.env["KUBECONFIG"] ?? "";
  const path = named === "" && (await exists(own)) ? own : kubeconfig;
  const connection = await connectionAt(path, context);
  const transport = createHttpTransport(connection, { userAgent: "capstan" });
  const passes = await passesBeside(path ?? named);
  return {
    client: createClient(transport, { fieldOwner: "capstan" }),
    namespace: connection.namespace ?? "default",
    ...(passes === undefined ? {} : { passes }),
    [Symbol.dispose]: () => transport.close(),
  };
}

async function connectionAt(path: string | undefined, context: string | undefined): Promise<Connection> {
  try {
    return await loadConnection({
      environment: process.env,
      home: homedir(),
      ...(path === undefined ? {} : { path }),
      ...(context === undefined ? {} : { context }),
    });
  } catch (error) {
    if (!(error instanceof NoConnectionError)) throw error;
    throw new UsageError(`${error.message}; or start a plane with capstan up, which is found without any`);
  }
}

/** The passes of a manager at an address, asked with a token. */
export function passesAt(url: string, token: string | undefined): Passes {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetchPasses(
    async (query) => {
      const answer = await fetch(`${url}/passes?${query}`, { headers, signal: AbortSignal.timeout(2000) });
      if (!answer.ok) throw new UsageError(`${url}/passes answers ${answer.status}`);
      return await answer.json();
    },
    () => undefined,
  );
}

async function passesBeside(kubeconfig: string): Promise<Passes | undefined> {
  const file = join(dirname(kubeconfig), diagnosticsFile);
  if (kubeconfig === "" || !(await exists(file))) return undefined;
  const content: unknown = JSON.parse(await readFile(file, "utf8"));
  const [url, token] = [fieldAt(content, "url"), fieldAt(content, "token")];
  return typeof url === "string" && typeof token === "string" ? passesAt(url, token) : undefined;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
