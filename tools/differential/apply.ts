import { parseArgs } from "node:util";
import { timestampOf } from "#base";
import { encodeJson, type Json, type JsonObject, type KubeObject, type ManagedFieldsEntry } from "#machinery";
import { model, type Outcome } from "./model.ts";
import { Random } from "./random.ts";
import { type Answer, RealServer } from "./real-server.ts";
import { widgetApiVersions, widgetDefinition } from "./widget.ts";
import { randomWrite, type Sequence, type Write } from "./write.ts";

// Sends random sequences of writes to a real kube-apiserver and to the pure functions of machinery/ownership, and
// compares objects, managedFields (without times) and conflicts after every write.
//   node build/tools/differential/apply.js --kubeconfig FILE [--sequences 500] [--steps 12] [--seed N]
const { values: options } = parseArgs({
  options: {
    kubeconfig: { type: "string" },
    sequences: { type: "string", default: "500" },
    steps: { type: "string", default: "12" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const run = Date.now().toString(36);
const counts: Record<string, number> = {};

if (options.kubeconfig === undefined) throw new Error("--kubeconfig is missing");
const server = new RealServer(options.kubeconfig);
const firstSeed = Number(options.seed);
let differences = 0;
await server.call("POST", definitions, widgetDefinition);
await established();
for (let index = 0; index < Number(options.sequences); index++) {
  if (!(await runSequence(firstSeed + index))) differences++;
  if (differences >= 5) break;
}
server.close();
console.log(JSON.stringify({ seed: firstSeed, sequences: Number(options.sequences), differences, ...counts }));
process.exitCode = differences === 0 ? 0 : 1;

async function established(): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const answers = await Promise.all(widgetApiVersions.map((version) => server.call("GET", collectionIn(version))));
    if (answers.every(({ code }) => code === 200)) return;
  }
  throw new Error("the real server does not serve widgets");
}

async function runSequence(seed: number): Promise<boolean> {
  const random = new Random(seed);
  const sequence: Sequence = { name: `w-${run}-${seed}`, random, versions: random.pick(["one", "several"]) };
  let live: KubeObject | undefined;
  const history: Write[] = [];
  for (let step = 0; step < Number(options.steps); step++) {
    const write = randomWrite(sequence, live);
    history.push(write);
    const answer = await send(sequence.name, write);
    count(`${write.kind} ${answer.code}`);
    const outcome = model(live, write, timestampOf(Date.now()));
    const [real, ours] = [seenFromOutside(answer), modelFromOutside(outcome)];
    if (real !== ours) {
      report(seed, history, { real, ours, live });
      return false;
    }
    // The real object goes on as the live one: its times and resourceVersion are those of the next write.
    if (answer.code < 300) live = asObject(answer.body);
  }
  return true;
}

function collectionIn(apiVersion: string): string {
  return `/apis/${apiVersion}/namespaces/default/widgets`;
}

function send(name: string, write: Write): Promise<Answer> {
  const query = `?fieldManager=${write.manager}`;
  const collection = collectionIn(write.apiVersion);
  const path = `${collection}/${name}${write.subresource === "" ? "" : `/${write.subresource}`}`;
  switch (write.kind) {
    case "create":
      return server.call("POST", `${collection}${query}`, write.body);
    case "update":
      return server.call("PUT", `${path}${query}`, write.body);
    case "apply":
      return server.call("PATCH", `${path}${query}&force=${write.force}`, write.body, "application/apply-patch+yaml");
    case "merge-patch":
      return server.call("PATCH", `${path}${query}`, write.patch, "application/merge-patch+json");
    case "json-patch":
      return server.call("PATCH", `${path}${query}`, write.patch, "application/json-patch+json");
  }
}

function asObject(body: JsonObject): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API answers a stored object with an object
  return body as unknown as KubeObject;
}

function seenFromOutside({ code, body }: Answer): string {
  if (code === 422) return "422";
  if (code >= 400) return `${code} ${JSON.stringify(body["message"])} ${causesOf(body["details"])}`;
  return comparable(asObject(body));
}

function modelFromOutside(outcome: Outcome): string {
  if (outcome.kind === "stored") return comparable(outcome.object);
  const { status, message, httpCode } = outcome.error;
  // What is invalid is not for ownership to say, only that nulls may make it so.
  if (httpCode === 422) return "422";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- details hold nothing but JSON
  return `${httpCode} ${JSON.stringify(message)} ${causesOf(status.details as unknown as Json)}`;
}

function causesOf(details: Json | undefined): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the details of a Status
  const { causes = [] } = (details ?? {}) as { readonly causes?: readonly Json[] };
  return causes
    .map((cause) => encodeJson(cause))
    .toSorted()
    .join("\n");
}

function comparable(object: KubeObject): string {
  const { name = "", labels, annotations, finalizers, managedFields = [] } = object.metadata;
  const metadata = { name, labels, annotations, finalizers, managedFields: managedFields.map(withoutTime).toSorted() };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object holds nothing but JSON
  const { spec, status } = object as unknown as { readonly spec?: Json; readonly status?: Json };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed from JSON a line above
  return encodeJson(JSON.parse(JSON.stringify({ metadata, spec, status })) as Json);
}

function withoutTime({ time, ...entry }: ManagedFieldsEntry): string {
  return encodeJson({ ...entry, timed: time !== undefined });
}

function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

function report(
  seed: number,
  history: readonly Write[],
  found: { readonly real: string; readonly ours: string; readonly live: KubeObject | undefined },
): void {
  console.log(`\nseed ${seed}, write ${history.length}: ${JSON.stringify(history.at(-1))}`);
  console.log(`before ${JSON.stringify(found.live)}`);
  console.log(`real   ${found.real}\nours   ${found.ours}`);
}
