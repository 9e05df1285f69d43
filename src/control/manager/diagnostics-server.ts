import type { Registry } from "prom-client";
import { describeError, describeNext } from "#base";
import { describeKey } from "#machinery";
import type { PassRecord } from "../pass/pass-record.ts";
import { type Answer, type HttpListener, listen, type ListenAddress } from "./http-listener.ts";

/** Whether a caller may look at a path. */
export type Authorize = (request: {
  /** What came as a bearer token; absent where nothing did. */
  readonly token?: string;
  readonly path: string;
}) => Promise<"allowed" | "unauthenticated" | "forbidden">;

/** Where diagnostics are served, and to whom. */
export interface DiagnosticsAddress extends ListenAddress {
  /** Who may see what. Without it metrics are served to anybody and passes to nobody. */
  readonly authorize?: Authorize;
}

/** Which passes somebody asks for. */
export interface PassQuery {
  readonly kind?: string;
  readonly group?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** What is served. */
export interface Diagnostics {
  readonly registry: Registry;
  readonly passes: (query: PassQuery) => readonly PassRecord[];
}

/** Serves `/metrics`, and what the last passes saw and decided under `/passes?kind=Machine&namespace=default&name=m1`. */
export async function serveDiagnostics(
  { authorize, ...address }: DiagnosticsAddress,
  { registry, passes }: Diagnostics,
): Promise<HttpListener> {
  return await listen(address, async (request) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const isMetrics = pathname === "/metrics";
    if (!isMetrics && (pathname !== "/passes" || authorize === undefined))
      return { code: 404, text: "404 page not found\n" };
    const refusal = await refusalOf(authorize, pathname, request.headers.authorization);
    if (refusal !== undefined) return refusal;
    if (isMetrics) return { code: 200, text: await registry.metrics(), contentType: registry.contentType };
    const found = passes(Object.fromEntries(searchParams));
    return { code: 200, text: `${JSON.stringify({ passes: found.map(passJson) })}\n`, contentType: "application/json" };
  });
}

/** A record as plain data, for people and programs elsewhere. */
export function passJson(record: PassRecord): object {
  const { reconciler, key, reconcileId, at, took, outcome, facts, verdicts, next, errors, wrote } = record;
  return {
    reconciler,
    object: describeKey(key),
    reconcileID: reconcileId,
    at,
    milliseconds: took,
    outcome,
    ...(facts === undefined ? {} : { facts }),
    decisions: verdicts.map(({ table, type, row, evidence, report, next: then }) => ({
      table,
      type,
      row,
      evidence,
      report,
      next: describeNext(then),
    })),
    next: describeNext(next),
    errors: errors.map((error) => describeError(error)),
    wrote,
  };
}

async function refusalOf(
  authorize: Authorize | undefined,
  path: string,
  header: string | undefined,
): Promise<Answer | undefined> {
  if (authorize === undefined) return undefined;
  const [, token] = /^Bearer (\S+)$/i.exec(header ?? "") ?? [];
  const verdict = await authorize({ path, ...(token === undefined ? {} : { token }) });
  if (verdict === "allowed") return undefined;
  return verdict === "forbidden" ? { code: 403, text: "Forbidden\n" } : { code: 401, text: "Unauthorized\n" };
}
