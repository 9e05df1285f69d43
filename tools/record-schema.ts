import { writeFileSync } from "node:fs";
import { encodeJson, fieldAt, type Json, type JsonSchema } from "#machinery";
import { type Answer, connectTo } from "./real-server.ts";
import { formatCases } from "./schema-cases/formats.ts";
import { updateCases } from "./schema-cases/updates.ts";
import { valueCases } from "./schema-cases/values.ts";

// Asks a real API server what it makes of schemas and values, and writes its answers where the tests replay them:
//   node build/tools/record-schema.js KUBECONFIG

interface Question {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly old?: Json;
  readonly value: Json;
}

interface Recorded extends Question {
  /** Present where the server accepted the value: what it kept of it. */
  readonly kept?: unknown;
  readonly unknown?: readonly string[];
  readonly causes?: unknown;
  /** True where the server gave its causes in the same order each time. */
  readonly ordered?: boolean;
  /** Present where the server refused the value before it looked at the schema. */
  readonly message?: string;
}

const folder = "test/fixtures/schema";
const group = "schema.example.com";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const anything: JsonSchema = { "x-kubernetes-preserve-unknown-fields": true };
const rounds = 6;
const call = connectTo(process.argv[2] ?? "kubeconfig");

const values = Object.entries(valueCases).flatMap(([name, { schema, values: tried }]) =>
  tried.map((value) => ({ name, schema, value })),
);
const formats = Object.entries(formatCases).flatMap(([format, texts]) =>
  texts.map((value) => ({ name: `format ${format}`, schema: { type: "string", format }, value })),
);
const updates = Object.entries(updateCases).flatMap(([name, { schema, old, values: tried }]) =>
  tried.map((value) => ({ name, schema, old, value })),
);

await record("values", values);
await record("formats", formats);
await record("updates", updates);

async function record(name: string, questions: readonly Question[]): Promise<void> {
  const resource = { plural: `${name}s`, kind: `${name.charAt(0).toUpperCase()}${name.slice(1)}` };
  const path = `/apis/${group}/v1/namespaces/default/${resource.plural}`;
  const definition = `${definitions}/${resource.plural}.${group}`;
  await call("DELETE", definition);
  // What is wrong with an old value can only be stored while the schema does not say so yet.
  if (questions.some(({ old }) => old !== undefined)) {
    await define(
      resource,
      questions.map(() => anything),
    );
    for (const [index, { old = null }] of questions.entries()) await call("POST", path, objectOf(resource, index, old));
  }
  await define(
    resource,
    questions.map(({ schema }) => schema),
  );
  const recorded: Recorded[] = [];
  for (const [index, question] of questions.entries()) recorded.push(await ask(path, resource, { index, question }));
  writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(recorded, null, 1)}\n`);
  await call("DELETE", definition);
  console.log(`${name}: ${recorded.length} answers`);
}

interface Resource {
  readonly plural: string;
  readonly kind: string;
}

async function ask(
  path: string,
  resource: Resource,
  { index, question }: { readonly index: number; readonly question: Question },
): Promise<Recorded> {
  const send = async (validation: string): Promise<Answer> => {
    const query = `?dryRun=All&fieldValidation=${validation}`;
    const object = objectOf(resource, index, question.value);
    if (question.old === undefined) return call("POST", `${path}${query}`, object);
    const stored = await call("GET", `${path}/c${index}`);
    const metadata = { name: `c${index}`, resourceVersion: fieldAt(stored.body, "metadata", "resourceVersion") };
    return call("PUT", `${path}/c${index}${query}`, { ...object, metadata });
  };
  const strict = await send("Strict");
  const answers: Answer[] = [];
  for (let round = 0; round < rounds; round++) answers.push(await send("Ignore"));
  return { ...question, ...summary(answers, index), ...unknownOf(strict) };
}

function summary(answers: readonly Answer[], index: number): Partial<Recorded> {
  const [first] = answers;
  if (first === undefined) return {};
  const { status, body } = first;
  if (status < 300) return { kept: fieldAt(body, "spec", `c${index}`) ?? "<absent>" };
  if (status !== 422) return { message: renamed(String(fieldAt(body, "message")), index) };
  const causes: unknown = JSON.parse(renamed(JSON.stringify(fieldAt(body, "details", "causes")), index));
  const texts = new Set(answers.map((answer) => encodeJson(answer.body["details"] ?? null)));
  return { causes, ordered: texts.size === 1 };
}

/** Each question has a field of its own in one definition; in the answers it is called `x`. */
function renamed(text: string, index: number): string {
  return text.replaceAll(new RegExp(`spec\\.c${index}\\b`, "g"), "spec.x");
}

function unknownOf({ status, body }: Answer): Pick<Recorded, "unknown"> {
  const message = String(fieldAt(body, "message"));
  if (status !== 400 || !message.includes("strict decoding error")) return {};
  const fields = [...message.matchAll(/unknown field "([^"]*)"/g)].map(([, field = ""]) => field);
  return { unknown: fields.map((field) => field.replace(/^spec\.c\d+/, "spec.x")) };
}

function objectOf({ kind }: Resource, index: number, value: Json): { readonly [name: string]: unknown } {
  return { apiVersion: `${group}/v1`, kind, metadata: { name: `c${index}` }, spec: { [`c${index}`]: value } };
}

async function define({ plural, kind }: Resource, schemas: readonly JsonSchema[]): Promise<void> {
  const properties = Object.fromEntries(schemas.map((schema, index) => [`c${index}`, schema]));
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties } } };
  const name = `${plural}.${group}`;
  const existing = await call("GET", `${definitions}/${name}`);
  const resourceVersion = fieldAt(existing.body, "metadata", "resourceVersion");
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }];
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name, ...(existing.status === 200 ? { resourceVersion } : {}) },
    spec: { group, scope: "Namespaced", names: { plural, kind }, versions },
  };
  const written =
    existing.status === 200
      ? await call("PUT", `${definitions}/${name}`, definition)
      : await call("POST", definitions, definition);
  if (written.status >= 300) throw new Error(String(fieldAt(written.body, "message")));
  // The server takes a moment to serve a definition, and another one to serve its next version.
  await new Promise((resolve) => setTimeout(resolve, 6000));
}
