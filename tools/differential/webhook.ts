import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { hours, issueServing, systemClock } from "#base";
import { fieldAt, isJsonObject, type Json, type JsonObject } from "#machinery";

/** A webhook on this machine that both servers are told of, as `${webhook}` and `${webhookCa}` in scripts. */
export interface ScriptWebhook {
  readonly url: string;
  readonly caBundle: string;
  close(): Promise<void>;
}

/** What it says at each of its paths. */
const answers: Readonly<Record<string, (review: JsonObject) => JsonObject>> = {
  "/allow": (review) => admission(review, {}),
  "/deny": (review) =>
    admission(review, { allowed: false, status: { code: 403, reason: "Forbidden", message: "not this one" } }),
  "/deny-all": (review) => admission(review, { allowed: false }),
  "/warn": (review) => admission(review, { warnings: ["mind the step", 'and the "gap"'] }),
  "/label": (review) => patch(review, [{ op: "add", path: "/metadata/labels/labelled", value: "yes" }]),
  "/misfit": (review) => patch(review, [{ op: "remove", path: "/spec/nothing" }]),
  "/absent": () => ({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }),
  "/convert": convert,
};

/** Opens the webhook. */
export async function openScriptWebhook(): Promise<ScriptWebhook> {
  const now = systemClock.instant();
  const { authority, certificate, key } = issueServing({
    names: ["127.0.0.1"],
    notBefore: now - hours(1),
    notAfter: now + hours(24),
  });
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => respond(request.url ?? "", Buffer.concat(chunks).toString(), response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority).toString("base64"),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function respond(url: string, text: string, response: ServerResponse): void {
  const [path = ""] = url.split("?");
  const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
  const review: unknown = JSON.parse(text);
  if (answer === undefined || !isJsonObject(review)) {
    response.writeHead(500, { "content-type": "text/plain" });
    response.end("there is nothing here");
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(answer(review)));
}

function admission(review: JsonObject, response: JsonObject): JsonObject {
  return { ...headOf(review), response: { uid: uidOf(review), allowed: true, ...response } };
}

function patch(review: JsonObject, operations: Json): JsonObject {
  const encoded = Buffer.from(JSON.stringify(operations)).toString("base64");
  return admission(review, { patchType: "JSONPatch", patch: encoded });
}

/** In v1 a field is called `hostname`, in every other version `host`. */
function convert(review: JsonObject): JsonObject {
  const wanted = fieldAt(review, "request", "desiredAPIVersion");
  const objects = fieldAt(review, "request", "objects");
  const converted = (Array.isArray(objects) ? objects : []).map((object) => renamed(object, String(wanted)));
  return {
    ...headOf(review),
    response: { uid: uidOf(review), result: { status: "Success" }, convertedObjects: converted },
  };
}

function renamed(object: unknown, apiVersion: string): JsonObject {
  const whole = isJsonObject(object) ? object : {};
  const { spec } = whole;
  if (!isJsonObject(spec)) return { ...whole, apiVersion };
  const { host, hostname = host, ...rest } = spec;
  const field = apiVersion.endsWith("/v1") ? "hostname" : "host";
  return { ...whole, apiVersion, spec: { ...rest, ...(hostname === undefined ? {} : { [field]: hostname }) } };
}

function headOf({ apiVersion = "", kind = "" }: JsonObject): JsonObject {
  return { apiVersion, kind };
}

function uidOf(review: JsonObject): string {
  const uid = fieldAt(review, "request", "uid");
  return typeof uid === "string" ? uid : "";
}
