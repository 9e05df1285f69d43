import { type HttpListener, listen, type ListenAddress } from "./http-listener.ts";

/** Whether something is well: it throws where it is not. */
export type Check = () => void | Promise<void>;

/** What makes a process alive, and what makes it ready. */
export interface HealthChecks {
  readonly live: ReadonlyMap<string, Check>;
  readonly ready: ReadonlyMap<string, Check>;
}

/** Serves `/healthz` and `/readyz`, each check under its name below them, and all of them with `?verbose`. */
export async function serveHealth(address: ListenAddress, { live, ready }: HealthChecks): Promise<HttpListener> {
  return await listen(address, async (request) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const [, root = "", name, ...more] = pathname.split("/");
    const checks = root === "healthz" ? live : root === "readyz" ? ready : undefined;
    if (checks === undefined || more.length > 0) return { code: 404, text: "404 page not found\n" };
    if (name === undefined || name === "") return await answerAll(root, checks, searchParams.has("verbose"));
    const check = checks.get(name);
    if (check === undefined) return { code: 404, text: "404 page not found\n" };
    return (await passes(check)) ? { code: 200, text: "ok" } : { code: 500, text: "internal server error: not well\n" };
  });
}

async function answerAll(root: string, checks: ReadonlyMap<string, Check>, verbose: boolean) {
  const results = await Promise.all(
    Array.from(checks, async ([name, check]) => ({ name, isWell: await passes(check) })),
  );
  const isWell = results.every((result) => result.isWell);
  const lines = results.map((result) => (result.isWell ? `[+]${result.name} ok` : `[-]${result.name} failed`));
  const last = `${root} check ${isWell ? "passed" : "failed"}`;
  if (isWell && !verbose) return { code: 200, text: "ok" };
  return { code: isWell ? 200 : 500, text: `${[...lines, last].join("\n")}\n` };
}

/** Why a check fails is nobody's business who can only reach this port. */
async function passes(check: Check): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
