import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fieldAt, isJsonObject, type JsonObject } from "#machinery";
import { type GoField, readGoStructs } from "./derive-builtins/go-structs.ts";
import { type ProtoField, readProtoMessages } from "./derive-builtins/proto-messages.ts";
import { RealServer } from "./derive-builtins/real-server.ts";
import { servedKinds, type ServedKind } from "./derive-builtins/served-kinds.ts";
import { tableColumns } from "./derive-builtins/table-columns.ts";
import { deriveTypes, messageNameOf, packageOf } from "./derive-builtins/type-table.ts";

// Writes src/apiserver/builtin/types/data from a real server's discovery and OpenAPI documents and from the
// declarations in Go's module cache: npm run derive-builtins -- --kubeconfig FILE [--protos DIR]

const header = "// Written by `npm run derive-builtins`; not edited by hand.\n";
const target = "src/apiserver/builtin/types/data";
const modules = ["api", "apimachinery", "apiextensions-apiserver", "kube-aggregator"];
const alsoNeeded = [
  "DeleteOptions",
  "Status",
  "ListOptions",
  "GetOptions",
  "CreateOptions",
  "UpdateOptions",
  "PatchOptions",
  "PartialObjectMetadata",
];
// Resources that are answered by hand or not at all.
const left = new Set(["componentstatuses"]);
const convertible = new Set(["horizontalpodautoscalers"]);

const { values } = parseArgs({
  options: {
    kubeconfig: { type: "string" },
    protos: { type: "string", default: join(homedir(), "go/pkg/mod/k8s.io") },
    release: { type: "string", default: "v0.35.8" },
  },
});
if (values.kubeconfig === undefined) throw new Error("--kubeconfig is required");
const server = new RealServer(values.kubeconfig);
try {
  const schemas = await readSchemas(server);
  const kinds = (await servedKinds(server, schemas)).filter(isWanted);
  const { structs, messages } = readModules(values.protos, values.release);
  const types = deriveTypes(rootsOf(kinds, messages), { structs, messages, schemas });
  mkdirSync(target, { recursive: true });
  for (const [home, table] of types) write(fileOf(home), listing(table));
  write("kinds", `[\n${kinds.map((kind) => JSON.stringify(kind)).join(",\n")}\n]`);
  const columns = await tableColumns(server, kinds);
  write("columns", `{\n${[...columns].map(([name, each]) => `"${name}":${JSON.stringify(each)}`).join(",\n")}\n}`);
  writeIndex([...types.keys()].toSorted());
  console.log(`${kinds.length} kinds, ${[...types.values()].reduce((sum, table) => sum + table.size, 0)} types`);
} finally {
  server.close();
}

/** Of a resource in several versions only the preferred one is served, unless we can convert between them. */
function isWanted({ group, resource }: ServedKind, index: number, all: readonly ServedKind[]): boolean {
  const first = all.findIndex((each) => each.group === group && each.resource === resource);
  return (first === index || convertible.has(resource)) && !left.has(resource);
}

async function readSchemas(from: RealServer): Promise<ReadonlyMap<string, JsonObject>> {
  const found = new Map<string, JsonObject>();
  const paths = fieldAt(await from.read("/openapi/v3"), "paths");
  for (const [path, entry] of Object.entries(isJsonObject(paths) ? paths : {})) {
    if (!/^apis?\/.*v\d/.test(path)) continue;
    const schemas = fieldAt(await from.read(String(fieldAt(entry, "serverRelativeURL"))), "components", "schemas");
    for (const [name, schema] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
      if (isJsonObject(schema)) found.set(name, schema);
    }
  }
  return found;
}

function readModules(directory: string, release: string) {
  const messages = new Map<string, readonly ProtoField[]>();
  const structs = new Map<string, ReadonlyMap<string, readonly GoField[]>>();
  for (const module of modules) {
    const root = join(directory, `${module}@${release}`);
    for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith("generated.proto")) continue;
      const folder = join(root, file, "..");
      for (const [name, fields] of readProtoMessages(readFileSync(join(root, file), "utf8")))
        messages.set(name, fields);
      const home = `k8s.io.${module.replaceAll("-", "_")}.${file.split("/").slice(0, -1).join(".")}`;
      structs.set(home, readGoStructs(goSource(folder)));
    }
  }
  return { messages, structs };
}

function goSource(folder: string): string {
  const files = readdirSync(folder).filter((file) => /^(micro_)?(types|time|duration|group).*\.go$/.test(file));
  return files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
}

function rootsOf(kinds: readonly ServedKind[], messages: ReadonlyMap<string, unknown>): readonly string[] {
  const wanted = new Set(
    kinds.flatMap(({ type, subresources = [] }) => [type, ...subresources.map((each) => each.type)]),
  );
  const named = [...messages.keys()].filter((name) =>
    wanted.has(`${packageOf(name)}.${name.slice(name.lastIndexOf(".") + 1)}`),
  );
  const options = alsoNeeded.map((name) => messageNameOf(`io.k8s.apimachinery.pkg.apis.meta.v1.${name}`));
  return [...named, ...options];
}

function listing(table: ReadonlyMap<string, JsonObject>): string {
  const lines = [...table]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => `${JSON.stringify(name)}:${JSON.stringify(type)}`);
  return `{\n${lines.join(",\n")}\n}`;
}

function write(name: string, text: string): void {
  if (/[`\\]|\$\{/.test(text)) throw new Error(`${name} holds a character that a template cannot`);
  writeFileSync(
    join(target, `${name}.ts`),
    `${header}/** JSON, read when it is first needed. */\nexport const text = \`${text}\`;\n`,
  );
}

function writeIndex(homes: readonly string[]): void {
  const imports = homes.map((home) => `import { text as ${nameOf(home)} } from "./${fileOf(home)}.ts";`);
  const members = homes.map((home) => `  "${home}": ${nameOf(home)},`);
  const doc = "/** The tables of types, as JSON, by the Go package that declares them. */";
  const body = `${imports.join("\n")}\n\n${doc}\nexport const packages: Readonly<Record<string, string>> = {\n${members.join("\n")}\n};\n`;
  writeFileSync(join(target, "packages.ts"), `${header}${body}`);
}

function fileOf(home: string): string {
  return home.replace("/", "-");
}

function nameOf(home: string): string {
  return home.replace(/\/v/, "V");
}
