import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fieldAt, isJsonObject, type Json, type JsonObject } from "#machinery";
import { RealServer } from "./derive-builtins/real-server.ts";
import { type Case, merged, type Recorded } from "./record-builtin/case.ts";
import { withoutAdmission } from "./record-builtin/admission.ts";
import { ProtobufRecorder } from "./record-builtin/protobuf-recorder.ts";
import { RowRecorder } from "./record-builtin/row-recorder.ts";
import { families } from "./record-builtin/families.ts";

// Asks a real server to create and update objects of built-in kinds, and keeps what it answers in
// test/fixtures/builtin: npm run record-builtin -- --kubeconfig FILE [--only FAMILY]

const target = "test/fixtures/builtin";
const home = "record-builtin";
// What differs from run to run, or is the registry's to set.
const volatile = ["uid", "creationTimestamp", "resourceVersion", "managedFields", "generation"];

const { values } = parseArgs({ options: { kubeconfig: { type: "string" }, only: { type: "string" } } });
if (values.kubeconfig === undefined) throw new Error("--kubeconfig is required");
const server = new RealServer(values.kubeconfig);
const protobuf = new ProtobufRecorder(server);
const rows = new RowRecorder(server);
const served = await discover();
mkdirSync(target, { recursive: true });
await server.ask("/api/v1/namespaces", {
  method: "POST",
  body: { apiVersion: "v1", kind: "Namespace", metadata: { name: home } },
});
try {
  for (const [family, cases] of Object.entries(families)) {
    if (values.only !== undefined && values.only !== family) continue;
    const recorded: Recorded[] = [];
    for (const [index, each] of cases.entries()) recorded.push(await record(each, `${family}-${index}`));
    const lines = recorded.map((each) => JSON.stringify(each)).join(",\n");
    writeFileSync(join(target, `${family}.json`), `[\n${lines}\n]\n`);
    console.log(`${family}: ${recorded.length}`);
  }
  if (values.only === undefined) await protobuf.write("test/fixtures/protobuf");
  if (values.only === undefined) rows.write("test/fixtures/builtin-rows.json");
} finally {
  server.close();
}

interface Served {
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly namespaced: boolean;
}

async function discover(): Promise<ReadonlyMap<string, Served>> {
  const found = new Map<string, Served>();
  const groups = fieldAt(await server.read("/apis"), "groups");
  const preferred = (Array.isArray(groups) ? groups : []).map((group) =>
    String(fieldAt(group, "preferredVersion", "groupVersion")),
  );
  for (const apiVersion of ["v1", ...preferred]) {
    const path = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const resources = fieldAt(await server.read(path), "resources");
    for (const each of Array.isArray(resources) ? resources : []) {
      const group = apiVersion === "v1" ? "" : `.${apiVersion.split("/")[0]}`;
      found.set(`${String(fieldAt(each, "name"))}${group}`, {
        path,
        apiVersion,
        kind: String(fieldAt(each, "kind")),
        namespaced: fieldAt(each, "namespaced") === true,
      });
    }
  }
  return found;
}

async function record(asked: Case, defaultName: string): Promise<Recorded> {
  const { name, resource, body: given, change, subresource } = asked;
  const found = served.get(resource);
  if (found === undefined) throw new Error(`the server does not serve ${resource}`);
  const { path, kind, apiVersion, namespaced } = found;
  const metadata = merged(
    { name: defaultName, ...(namespaced ? { namespace: home } : {}) },
    objectOf(given["metadata"]),
  );
  const body: JsonObject = { apiVersion, kind, ...given, metadata };
  const namespace = textOf(metadata["namespace"]) ?? home;
  const collection = `${path}/${namespaced ? `namespaces/${namespace}/` : ""}${resource.split(".")[0] ?? ""}`;
  const created = await send("POST", collection, body);
  if (created.code === 201) await protobuf.record(resource, addressOf(collection, created.answer));
  if (created.code === 201) await rows.record(resource, addressOf(collection, created.answer));
  const about = { name, resource, version: apiVersion.split("/").at(-1) ?? "" };
  const address = addressOf(collection, created.answer);
  try {
    if (change === undefined)
      return { ...about, verb: "create", body, code: created.code, answer: stable(created.answer) };
    if (created.code !== 201) throw new Error(`${resource}, ${name}: ${JSON.stringify(created.answer)}`);
    const where = subresource === undefined ? address : `${address}/${subresource}`;
    const { old, changed, code, answer } = await update(address, where, change);
    const at = subresource === undefined ? {} : { subresource };
    await rows.record(resource, address);
    return {
      ...about,
      verb: "update",
      ...at,
      old: stable(old),
      body: stable(changed),
      code,
      answer: stable(answer),
    };
  } finally {
    if (created.code === 201) await remove(address);
  }
}

function addressOf(collection: string, object: Json): string {
  return `${collection}/${textOf(fieldAt(object, "metadata", "name")) ?? ""}`;
}

/** Controllers write too: whoever was faster, the update is made of what is there then. */
async function update(address: string, where: string, change: JsonObject) {
  for (let left = 10; ; left--) {
    const old = await send("GET", address, undefined);
    const changed = merged(objectOf(old.answer), change);
    const { code, answer } = await send("PUT", where, changed);
    if (code !== 409 || left === 0) return { old: old.answer, changed, code, answer };
  }
}

async function remove(address: string): Promise<void> {
  const { answer } = await send("DELETE", `${address}?gracePeriodSeconds=0`, undefined);
  if (fieldAt(answer, "kind") === "Namespace") {
    await send("PUT", `${address}/finalize`, merged(objectOf(answer), { spec: { finalizers: [] } }));
  }
  if (fieldAt(answer, "metadata", "finalizers") !== undefined) {
    await server.ask(address, {
      method: "PATCH",
      contentType: "application/merge-patch+json",
      body: { metadata: { finalizers: null } },
    });
  }
}

async function send(
  method: string,
  path: string,
  body: Json | undefined,
): Promise<{ readonly code: number; readonly answer: Json }> {
  const { code, body: text } = await server.ask(path, { method, ...(body === undefined ? {} : { body }) });
  const answer: Json = JSON.parse(text.toString("utf8"));
  return { code, answer };
}

function stable(answer: Json): Json {
  if (!isJsonObject(answer) || !isJsonObject(answer["metadata"])) return answer;
  const kept = Object.entries(answer["metadata"]).filter(([name]) => !volatile.includes(name));
  return withoutAdmission({ ...answer, metadata: Object.fromEntries(kept) });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
