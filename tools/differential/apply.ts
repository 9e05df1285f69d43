import {
  encodeJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
} from "#machinery";
import type { Pair, Tally } from "./compare-scripts.ts";
import { bodyOf } from "./conversation.ts";
import { Random } from "./random.ts";
import type { Answer, RemoteServer, Request } from "./remote-server.ts";
import { rebased } from "./rebase.ts";
import { widgetApiVersions, widgetDefinition } from "./widget.ts";
import { randomWrite, type Sequence, type Write } from "./write.ts";

/** How many random sequences, of how many writes, from which seed on. */
export interface ApplyOptions {
  readonly sequences: number;
  readonly steps: number;
  readonly seed: number;
  readonly print: (text: string) => void;
}

interface Live {
  readonly real: KubeObject;
  readonly ours: KubeObject;
}

const mostFailures = 5;

/**
 * Sends random sequences of writes by three managers to both servers and compares objects, managedFields without their
 * times, and conflicts after every write; ends after five differences.
 */
export async function compareApplies(pair: Pair, options: ApplyOptions): Promise<Tally> {
  const servers = { real: pair.real.remote, ours: pair.ours.remote };
  await Promise.all([install(servers.real), install(servers.ours)]);
  const run = Date.now().toString(36);
  let [passed, failed] = [0, 0];
  for (let index = 0; index < options.sequences && failed < mostFailures; index++) {
    const random = new Random(options.seed + index);
    const name = `w-${run}-${options.seed + index}`;
    const sequence: Sequence = { name, random, versions: random.pick(["one", "several"]) };
    const difference = await runSequence(sequence, servers, options.steps);
    if (difference === undefined) passed++;
    else {
      failed++;
      options.print(`\nseed ${options.seed + index}, ${difference}`);
    }
    if ((index + 1) % 100 === 0) options.print(`${index + 1} sequences`);
  }
  return { passed, failed };
}

async function install(server: RemoteServer): Promise<void> {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const headers = { "content-type": "application/json" };
  await server.call({ method: "POST", path, headers, body: JSON.stringify(widgetDefinition) });
  for (let tries = 0; tries < 500; tries++) {
    const paths = widgetApiVersions.map(collectionIn);
    const answers = await Promise.all(paths.map((collection) => server.call({ method: "GET", path: collection })));
    if (answers.every(({ code }) => code === 200)) return;
  }
  throw new Error("a server does not serve widgets");
}

/** The first difference of a sequence in words, if there is one. */
async function runSequence(
  sequence: Sequence,
  servers: { readonly real: RemoteServer; readonly ours: RemoteServer },
  steps: number,
): Promise<string | undefined> {
  let live: Live | undefined;
  for (let step = 1; step <= steps; step++) {
    const write = randomWrite(sequence, live?.real);
    const [real, ours] = await Promise.all([
      servers.real.call(requestOf(sequence.name, write)),
      servers.ours.call(requestOf(sequence.name, live === undefined ? write : rebased(write, live.real, live.ours))),
    ]);
    if (seenFromOutside(real) !== seenFromOutside(ours)) return described(step, write, { live, real, ours });
    if (real.code < 300) live = { real: objectIn(real), ours: objectIn(ours) };
  }
  return undefined;
}

function collectionIn(apiVersion: string): string {
  return `/apis/${apiVersion}/namespaces/default/widgets`;
}

function requestOf(name: string, write: Write): Request {
  const query = `?fieldManager=${write.manager}`;
  const collection = collectionIn(write.apiVersion);
  const path = `${collection}/${name}${write.subresource === "" ? "" : `/${write.subresource}`}${query}`;
  switch (write.kind) {
    case "create":
      return sent("POST", `${collection}${query}`, write.body, "application/json");
    case "update":
      return sent("PUT", path, write.body, "application/json");
    case "apply":
      return sent("PATCH", `${path}&force=${write.force}`, write.body, "application/apply-patch+yaml");
    case "merge-patch":
      return sent("PATCH", path, write.patch, "application/merge-patch+json");
    case "json-patch":
      return sent("PATCH", path, write.patch, "application/json-patch+json");
  }
}

function sent(method: string, path: string, body: unknown, type: string): Request {
  return { method, path, headers: { "content-type": type }, body: JSON.stringify(body) };
}

function objectIn({ text }: Answer): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API answers a stored object with an object
  return JSON.parse(text) as KubeObject;
}

/** What is invalid is not for ownership to say, only that something is: 422 is compared by its code. */
function seenFromOutside(answer: Answer): string {
  if (answer.code === 422) return "422";
  if (answer.code >= 400) return refusal(answer);
  return `${answer.code} ${comparable(objectIn(answer))}`;
}

function refusal({ code, text }: Answer): string {
  const body = bodyOf(text);
  if (!isJsonObject(body)) return `${code} ${text}`;
  const { message = "", reason = "", details } = body;
  const causes = causesOf(details).map((cause) => encodeJson(cause));
  return [code, encodeJson(reason), encodeJson(message), ...causes.toSorted()].join("\n");
}

function causesOf(details: Json | undefined): readonly Json[] {
  const causes = isJsonObject(details) ? details["causes"] : undefined;
  return Array.isArray(causes) ? causes : [];
}

function comparable(object: KubeObject): string {
  const { name = "", generation, labels, annotations, finalizers, managedFields = [] } = object.metadata;
  const entries = managedFields.map(withoutTime).toSorted();
  const metadata = { name, generation, labels, annotations, finalizers, managedFields: entries };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed from JSON on this line
  return encodeJson(JSON.parse(JSON.stringify({ ...object, metadata })) as JsonObject);
}

function withoutTime({ time, ...entry }: ManagedFieldsEntry): string {
  return encodeJson({ ...entry, timed: time !== undefined });
}

function described(
  step: number,
  write: Write,
  { live, real, ours }: { readonly live: Live | undefined; readonly real: Answer; readonly ours: Answer },
): string {
  return [
    `write ${step}: ${JSON.stringify(write)}`,
    `before ${JSON.stringify(live?.real)}`,
    `real   ${seenFromOutside(real)}${real.code === 422 ? real.text : ""}`,
    `ours   ${seenFromOutside(ours)}${ours.code === 422 ? ours.text : ""}`,
  ].join("\n");
}
