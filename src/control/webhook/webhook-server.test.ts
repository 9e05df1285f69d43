import { Agent, request } from "node:https";
import { Registry } from "prom-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeClock, createLogger, describeError, parseTimestamp, seconds, systemClock } from "#base";
import { type Json, invalidObject, FieldPath, invalid } from "#machinery";
import type { AdmissionRequest, AdmissionVerdict } from "./admission-review.ts";
import { makeWebhookCertificate } from "./webhook-authority.ts";
import { webhookMetricsIn } from "./webhook-metrics.ts";
import { serveWebhooks, type WebhookServer } from "./webhook-server.ts";

const path = "/validate-test-capstan-dev-v1-lamp";
const lamp = { apiVersion: "test.capstan.dev/v1", kind: "Lamp", metadata: { name: "a" }, spec: { watts: 5 } };
const made = makeWebhookCertificate(["localhost"], systemClock.instant());
const json = { "content-type": "application/json" };

type Review = (asked: AdmissionRequest) => Promise<AdmissionVerdict>;

const allow: Review = () => Promise.resolve({ kind: "allowed" });

interface Served {
  readonly server: WebhookServer;
  readonly registry: Registry;
  readonly lines: readonly string[];
}

async function serve(review: Review = allow): Promise<Served> {
  const registry = new Registry();
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const server = await serveWebhooks({
    host: "localhost",
    port: 0,
    certificate: made,
    webhooks: [{ path, review }],
    clock: systemClock,
    log: createLogger({ format: "text", level: "error", clock: systemClock, destination }),
    metrics: webhookMetricsIn(registry),
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, registry, lines };
}

interface Asking {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly ca?: string;
  readonly agent?: Agent;
}

async function ask({ server }: Served, asking: Asking): Promise<{ readonly code: number; readonly text: string }> {
  const { method = "POST", path: at = path, headers = json, body = "", ca = made.authority } = asking;
  const agent = asking.agent ?? new Agent();
  return await new Promise((resolve, reject) => {
    const call = request({ host: "localhost", port: server.port, method, path: at, headers, ca, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    call.on("error", reject);
    call.end(body);
  });
}

function reviewOf(asked: { readonly [field: string]: Json } = {}): string {
  const resource = { group: "test.capstan.dev", version: "v1", resource: "lamps" };
  const asking = { uid: "u-1", operation: "CREATE", resource, name: "a", namespace: "n", object: lamp, ...asked };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: asking });
}

async function answered(served: Served, body = reviewOf()): Promise<unknown> {
  const { code, text } = await ask(served, { body });
  expect(code).toBe(200);
  return JSON.parse(text);
}

function reviewAnswer(response: object): object {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid: "u-1", ...response } };
}

describe("a review", () => {
  test("asks about the write as the server tells it", async () => {
    const seen: AdmissionRequest[] = [];
    const served = await serve((asked) => {
      seen.push(asked);
      return Promise.resolve({ kind: "allowed" });
    });
    expect(await answered(served, reviewOf({ operation: "UPDATE", oldObject: { ...lamp, spec: {} } }))).toEqual(
      reviewAnswer({ allowed: true }),
    );
    expect(seen).toEqual([
      {
        uid: "u-1",
        operation: "UPDATE",
        resource: { group: "test.capstan.dev", version: "v1", resource: "lamps" },
        subresource: "",
        name: "a",
        object: lamp,
        oldObject: { ...lamp, spec: {} },
      },
    ]);
  });

  test("that changes the object answers with a JSON patch", async () => {
    const object = { ...lamp, metadata: { ...lamp.metadata, labels: { "a/b": "c" } } };
    const served = await serve(() => Promise.resolve({ kind: "allowed", object, warnings: ["it is dark"] }));
    const patch = [{ op: "add", path: "/metadata/labels", value: { "a/b": "c" } }];
    expect(await answered(served)).toEqual(
      reviewAnswer({
        allowed: true,
        patchType: "JSONPatch",
        patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
        warnings: ["it is dark"],
      }),
    );
  });

  test("that changes nothing has no patch", async () => {
    const served = await serve(({ object }) =>
      Promise.resolve({ kind: "allowed", ...(object === undefined ? {} : { object }) }),
    );
    expect(await answered(served)).toEqual(reviewAnswer({ allowed: true }));
  });

  test("that refuses says why, with code, reason and details", async () => {
    const error = invalidObject({ group: "test.capstan.dev", kind: "Lamp" }, "a", [
      invalid(FieldPath.of("spec", "watts"), 5, "too few"),
    ]);
    const served = await serve(() => Promise.resolve({ kind: "denied", error, warnings: ["it is dark"] }));
    expect(await answered(served)).toMatchObject(
      reviewAnswer({
        allowed: false,
        status: {
          status: "Failure",
          code: 422,
          reason: "Invalid",
          message: 'Lamp.test.capstan.dev "a" is invalid: spec.watts: Invalid value: 5: too few',
          details: {
            name: "a",
            group: "test.capstan.dev",
            kind: "Lamp",
            causes: [{ reason: "FieldValueInvalid", message: "Invalid value: 5: too few", field: "spec.watts" }],
          },
        },
        warnings: ["it is dark"],
      }),
    );
  });

  test("that fails is a refusal, and the log says so", async () => {
    const served = await serve(() => Promise.reject(new Error("the class cannot be read")));
    expect(await answered(served)).toMatchObject(
      reviewAnswer({ allowed: false, status: { code: 500, reason: "InternalError" } }),
    );
    expect(served.lines.join("")).toContain("the class cannot be read");
  });

  test("keeps integers that no number can hold", async () => {
    const served = await serve(({ object }) =>
      Promise.resolve({ kind: "allowed", object: { ...lamp, copy: object?.["spec"] } }),
    );
    const body = reviewOf().replace('"watts":5', '"watts":9007199254740993');
    const { text } = await ask(served, { body });
    const { response } = JSON.parse(text) as { readonly response: { readonly patch: string } };
    expect(Buffer.from(response.patch, "base64").toString()).toContain("9007199254740993");
  });
});

describe("what is no review is refused", () => {
  const body = reviewOf();
  const wrong = (text: string) => ({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: text });
  const cases: readonly (Asking & { readonly name: string; readonly code: number; readonly says: string })[] = [
    { name: "another path", path: "/validate", body, code: 404, says: "no webhook is served under /validate" },
    { name: "a path that is none", path: "//", body, code: 404, says: "no webhook is served under //" },
    { name: "another method", method: "GET", code: 405, says: "a review is asked for with POST, not GET" },
    { name: "no content type", headers: {}, body, code: 400, says: "contentType=, expected application/json" },
    {
      name: "another content type",
      headers: { "content-type": "application/yaml" },
      body,
      code: 400,
      says: "contentType=application/yaml, expected application/json",
    },
    { name: "nothing", code: 400, says: "the request body is empty" },
    { name: "no JSON", body: "{", code: 400, says: "the body is not JSON: unexpected end of JSON input" },
    { name: "no text", body: "\uD800", code: 400, says: "the body is not JSON" },
    {
      name: "something else",
      body: "[]",
      code: 400,
      says: "the body is not an AdmissionReview of admission.k8s.io/v1",
    },
    {
      name: "an older review",
      body: body.replace("admission.k8s.io/v1", "admission.k8s.io/v1beta1"),
      code: 400,
      says: "the body is not an AdmissionReview of admission.k8s.io/v1",
    },
    {
      name: "no request",
      body: JSON.stringify(wrong("")),
      code: 400,
      says: "the AdmissionReview has no request with a uid",
    },
    { name: "another operation", body: reviewOf({ operation: "LOOK" }), code: 400, says: 'unknown operation "LOOK"' },
    {
      name: "an object that is none",
      body: reviewOf({ object: [] }),
      code: 400,
      says: "object of the request is not an object with apiVersion, kind and metadata",
    },
    {
      name: "a body that is too large",
      body: " ".repeat(7 * 1024 * 1024 + 1),
      code: 413,
      says: "request entity is too large; limit is 7340032 bytes",
    },
    { name: "a body that is too deep", body: "[".repeat(2_000), code: 400, says: "the body is not JSON: exceeded" },
  ];

  test.each(cases)("$name", async ({ code, says, ...asking }) => {
    const served = await serve();
    const refusal = await ask(served, asking);
    expect(refusal).toEqual({ code, text: expect.stringContaining(says) });
    expect(await answered(served)).toEqual(reviewAnswer({ allowed: true }));
  });
});

describe("the server", () => {
  test("shows another certificate once it has one", async () => {
    const served = await serve();
    const next = makeWebhookCertificate(["localhost"], systemClock.instant());
    await expect(ask(served, { body: reviewOf(), ca: next.authority })).rejects.toThrow("certificate");
    served.server.renew(next);
    expect(await ask(served, { body: reviewOf(), ca: next.authority })).toMatchObject({ code: 200 });
  });

  test("answers what is under way before it stops, and takes nothing more", async () => {
    let begun: () => void = () => undefined;
    let go: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const mayGo = new Promise<void>((resolve) => (go = resolve));
    const served = await serve(async () => {
      begun();
      await mayGo;
      return { kind: "allowed" };
    });
    const under = answered(served);
    await hasBegun;
    const stopped = served.server[Symbol.asyncDispose]();
    await expect(ask(served, { body: reviewOf() })).rejects.toThrow("ECONNREFUSED");
    go();
    expect(await under).toEqual(reviewAnswer({ allowed: true }));
    await stopped;
  });

  test("does not wait for ever for what never ends", async () => {
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const server = await serveWebhooks({
      host: "localhost",
      port: 0,
      certificate: made,
      webhooks: [{ path, review: () => (begun(), new Promise(() => undefined)) }],
      clock,
      log: createLogger({ format: "text", level: "error", clock, destination: { write: () => undefined } }),
      metrics: webhookMetricsIn(new Registry()),
    });
    const lost = ask({ server, registry: new Registry(), lines: [] }, { body: reviewOf() }).catch(describeError);
    await hasBegun;
    const stopped = server[Symbol.asyncDispose]();
    await clock.advance(seconds(10));
    await stopped;
    expect(await lost).toBe("socket hang up");
  });

  test("counts reviews under controller-runtime's names", async () => {
    const served = await serve();
    await answered(served);
    await ask(served, { body: "{" });
    const text = await served.registry.metrics();
    expect(text).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="200"} 1`);
    expect(text).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="400"} 1`);
    expect(text).toContain(`controller_runtime_webhook_requests_in_flight{webhook="${path}"} 0`);
    expect(text).toContain(`controller_runtime_webhook_latency_seconds_count{webhook="${path}"} 2`);
  });

  test("says where it cannot listen", async () => {
    const { server } = await serve();
    const { port } = server;
    const again = serveWebhooks({
      host: "localhost",
      port,
      certificate: made,
      webhooks: [],
      clock: systemClock,
      log: createLogger({
        format: "text",
        level: "error",
        clock: systemClock,
        destination: { write: () => undefined },
      }),
      metrics: webhookMetricsIn(new Registry()),
    });
    await expect(again).rejects.toThrow(`cannot listen on localhost:${port}: another program listens there already`);
  });
});
