import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ApiError,
  asJson,
  describeGroupResource,
  FieldPath,
  invalid,
  invalidObject,
  type FieldError,
  type Json,
  type KubeObject,
} from "#machinery";
import { type ResourceDefinition, servedVersion } from "#apiserver/resources";
import { builtinDefinitions } from "./index.ts";

interface Recorded {
  readonly name: string;
  readonly resource: string;
  readonly version: string;
  readonly verb: "create" | "update";
  readonly subresource?: string;
  readonly old?: KubeObject;
  readonly body: KubeObject;
  readonly code: number;
  readonly answer: Json;
}

const folder = join(import.meta.dirname, "../../../test/fixtures/builtin");
const definitions = new Map(builtinDefinitions().map((each) => [describeGroupResource(each), each]));

for (const file of readdirSync(folder)) {
  const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as readonly Recorded[];
  describe(`the real server's answers about ${file.replace(".json", "")}`, () => {
    test.each(cases.map((each) => [`${each.verb}: ${each.name}`, each] as const))("%s", (_, recorded) => {
      const definition = definitions.get(recorded.resource);
      if (definition === undefined) throw new Error(`no definition of ${recorded.resource}`);
      const { code, answer } = replay(definition, recorded);
      expect(comparable(code, answer)).toEqual(comparable(recorded.code, recorded.answer));
    });
  });
}

/** The words of Go's decoder count up to the point where it names its own types. */
function comparable(code: number, answer: unknown): unknown {
  if (code !== 400) return { code, answer };
  const { message = "" } = answer as { readonly message?: string };
  return { code, message: message.replace(/(?<=cannot be handled as a \w+: ).*/, "") };
}

/** What a registry that follows the definition would answer: no store, no admission, of metadata only the name. */
function replay(definition: ResourceDefinition, write: Recorded): { readonly code: number; readonly answer: Json } {
  try {
    const object = write.old === undefined ? create(definition, write) : update(definition, write, write.old);
    return { code: write.old === undefined ? 201 : 200, answer: asJson(object) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.httpCode, answer: JSON.parse(JSON.stringify(error.status)) };
  }
}

function create(definition: ResourceDefinition, { version, body }: Recorded): KubeObject {
  const { behaviour } = definition;
  const read = readBody(definition, version, body);
  const { status: _, ...rest } = read;
  const hasStatus = servedVersion(definition, version)?.subresources.status === true;
  const fresh = hasStatus ? (rest as KubeObject) : read;
  const object = behaviour.prepareForCreate?.(fresh) ?? fresh;
  const { name = "" } = object.metadata;
  const nameProblems = behaviour
    .nameProblems(name, false)
    .map((why) => invalid(FieldPath.of("metadata", "name"), name, why));
  refuse(definition, name, [...nameProblems, ...(behaviour.validate?.(object) ?? [])]);
  return object;
}

function update(definition: ResourceDefinition, write: Recorded, old: KubeObject): KubeObject {
  const { behaviour } = definition;
  const { subresource = "" } = write;
  const read = readBody(definition, write.version, write.body);
  const hasStatus = definition.versions[0]?.subresources.status === true && old["status"] !== undefined;
  const inherited = hasStatus ? { ...read, status: old["status"] } : read;
  const proposed = subresource === "status" ? { ...old, status: read["status"] } : inherited;
  const object = behaviour.prepareForUpdate?.(proposed, old, subresource) ?? proposed;
  refuse(definition, object.metadata.name ?? "", behaviour.validateUpdate?.(object, old, subresource) ?? []);
  return object;
}

function readBody(definition: ResourceDefinition, version: string, body: KubeObject): KubeObject {
  const schema = servedVersion(definition, version)?.schema;
  if (schema === undefined) throw new Error(`${definition.resource} is not served in ${version}`);
  return schema.applyDefaults(schema.prune(body));
}

function refuse(definition: ResourceDefinition, name: string, problems: readonly FieldError[]): void {
  // Events of both groups are kept by the core group, and refused in its name.
  const group = definition.kind === "Event" ? "" : definition.group;
  if (problems.length > 0) throw invalidObject({ group, kind: definition.kind }, name, problems);
}
