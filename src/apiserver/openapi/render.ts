import type { Json, JsonObject } from "#machinery";
import type { Description } from "./describe.ts";
import type { Operation, Parameter, PathItem } from "./operations.ts";

const answers = ["application/json", "application/yaml"];
const info = { title: "Kubernetes", version: "v1.35.8" };
const words: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

export const refV3 = (name: string): string => `#/components/schemas/${name}`;
export const refV2 = (name: string): string => `#/definitions/${name}`;

/** A document of OpenAPI 3.0. */
export function renderV3({ paths, schemas }: Description): object {
  return {
    openapi: "3.0.0",
    info,
    paths: Object.fromEntries(paths.map((item) => [item.path, pathV3(item)])),
    components: { schemas: sorted(schemas) },
  };
}

/** A document of OpenAPI 2.0, of everything at once. */
export function renderV2(descriptions: readonly Description[]): object {
  const definitions: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const description of descriptions) {
    Object.assign(definitions, description.schemas);
    for (const item of description.paths) paths[item.path] = pathV2(item);
  }
  return {
    swagger: "2.0",
    info,
    paths,
    definitions: sorted(definitions),
    securityDefinitions: { BearerToken: { type: "apiKey", name: "authorization", in: "header" } },
    security: [{ BearerToken: [] }],
  };
}

function pathV3({ operations, parameters }: PathItem): JsonObject {
  const item: Record<string, Json> = {};
  for (const operation of operations) item[operation.method] = operationV3(operation);
  return { ...item, parameters: parameters.map(parameterV3) };
}

function operationV3(operation: Operation): JsonObject {
  const content = (types: readonly string[], schema: string) =>
    Object.fromEntries(types.map((type) => [type, { schema: { $ref: refV3(schema) } }]));
  const { body, consumes, answer, codes, parameters } = operation;
  return {
    ...shared(operation),
    parameters: parameters.map(parameterV3),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: content(consumes, body),
            ...(operation.method === "delete" ? {} : { required: true }),
          },
        }),
    responses: {
      ...Object.fromEntries(
        codes.map((code) => [code, { description: words[code] ?? "", content: content(answers, answer) }]),
      ),
      401: { description: "Unauthorized" },
    },
  };
}

function parameterV3({ name, in: place, description, type }: Parameter): JsonObject {
  const required = place === "path" ? { required: true } : {};
  return { name, in: place, description, ...required, schema: { type, uniqueItems: true } };
}

function pathV2({ operations, parameters }: PathItem): JsonObject {
  const item: Record<string, Json> = {};
  for (const operation of operations) item[operation.method] = operationV2(operation);
  return { ...item, parameters: parameters.map(parameterV2) };
}

function operationV2(operation: Operation): JsonObject {
  const { body, consumes, answer, codes, parameters } = operation;
  const bodies = body === undefined ? [] : [bodyV2(body, operation.method !== "delete")];
  return {
    ...shared(operation),
    consumes: consumes.length === 0 ? ["*/*"] : consumes,
    produces: answers,
    schemes: ["https"],
    parameters: [...bodies, ...parameters.map(parameterV2)],
    responses: {
      ...Object.fromEntries(
        codes.map((code) => [code, { description: words[code] ?? "", schema: { $ref: refV2(answer) } }]),
      ),
      401: { description: "Unauthorized" },
    },
  };
}

function bodyV2(schema: string, required: boolean): JsonObject {
  return { name: "body", in: "body", ...(required ? { required } : {}), schema: { $ref: refV2(schema) } };
}

function parameterV2({ name, in: place, description, type }: Parameter): JsonObject {
  return { name, in: place, description, type, uniqueItems: true, ...(place === "path" ? { required: true } : {}) };
}

function shared({ id, description, action, kind }: Operation): JsonObject {
  const { group, version } = kind;
  const tag = `${(group === "" ? "core" : group).replaceAll(/[^A-Za-z0-9]+(.)/g, (_, next: string) => next.toUpperCase())}_${version}`;
  return {
    tags: [tag],
    description,
    operationId: id,
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, kind: kind.kind, version },
  };
}

function sorted(schemas: Readonly<Record<string, Json>>): JsonObject {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
