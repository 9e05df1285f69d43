import { writeFileSync } from "node:fs";
import { encodeJson, fieldAt } from "#machinery";
import { type Answer, connectTo } from "./real-server.ts";
import { createCases, type DefinitionCase, updateDefinitionCases } from "./schema-cases/definitions.ts";
import { schemaCases } from "./schema-cases/schemas.ts";

// Asks a real API server what it makes of CustomResourceDefinitions, and writes its answers where the tests replay them:
//   node build/tools/record-definitions.js KUBECONFIG

const folder = "test/fixtures/schema";
const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const rounds = 6;
const call = connectTo(process.argv[2] ?? "kubeconfig");

interface Recorded {
  readonly name: string;
  readonly definition: object;
  readonly old?: unknown;
  /** Absent where the server accepted the definition. */
  readonly causes?: unknown;
  readonly ordered?: boolean;
  readonly message?: string;
  readonly kept?: unknown;
}

await recordAll(
  "schemas",
  Object.entries(schemaCases).map(([name, openAPIV3Schema]) => {
    return { name, definition: definitionOf({ version: { schema: { openAPIV3Schema } } }) };
  }),
);
await recordAll(
  "definitions",
  Object.entries(createCases).map(([name, one]) => ({ name, definition: definitionOf(one) })),
);
await recordUpdates();

async function recordAll(file: string, questions: readonly { name: string; definition: object }[]): Promise<void> {
  const recorded: Recorded[] = [];
  for (const question of questions) {
    const answers: Answer[] = [];
    for (let round = 0; round < rounds; round++)
      answers.push(await call("POST", `${path}?dryRun=All`, question.definition));
    recorded.push({ ...question, ...summary(answers) });
  }
  write(file, recorded);
}

async function recordUpdates(): Promise<void> {
  const name = "things.example.com";
  await call("DELETE", `${path}/${name}`);
  await call("POST", path, definitionOf({}));
  // The server takes a moment to accept the names of a definition.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const { body: old } = await call("GET", `${path}/${name}`);
  const recorded: Recorded[] = [];
  for (const [title, one] of Object.entries(updateDefinitionCases)) {
    const definition = { ...definitionOf(one), metadata: old["metadata"], status: old["status"] };
    const answers: Answer[] = [];
    for (let round = 0; round < rounds; round++) {
      answers.push(await call("PUT", `${path}/${name}?dryRun=All`, definition));
    }
    recorded.push({ name: title, definition, old, ...summary(answers) });
  }
  await call("DELETE", `${path}/${name}`);
  write("definition-updates", recorded);
}

function summary(answers: readonly Answer[]): Partial<Recorded> {
  const [first] = answers;
  if (first === undefined) return {};
  const { status, body } = first;
  if (status < 300) return { kept: { spec: body["spec"], storedVersions: fieldAt(body, "status", "storedVersions") } };
  if (status !== 422) return { message: String(fieldAt(body, "message")) };
  const texts = new Set(answers.map((answer) => encodeJson(answer.body["details"] ?? null)));
  return { causes: fieldAt(body, "details", "causes"), ordered: texts.size === 1 };
}

function definitionOf({
  name = "things.example.com",
  spec = {},
  version = {},
  versions,
  annotations,
}: DefinitionCase): object {
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
    },
  };
  const only = { name: "v1", served: true, storage: true, schema, ...version };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: versions ?? [only],
      ...spec,
    },
  };
}

function write(file: string, recorded: readonly Recorded[]): void {
  writeFileSync(`${folder}/${file}.json`, `${JSON.stringify(recorded, null, 1)}\n`);
  console.log(`${file}: ${recorded.length} answers`);
}
