import { encodeJson, type JsonSchema, type Kind } from "#machinery";

/** A page for each kind, by file name, and one that lists them. */
export function kindPages(kinds: readonly Kind[]): ReadonlyMap<string, string> {
  const sorted = kinds.toSorted((a, b) => (pageOf(a) < pageOf(b) ? -1 : 1));
  const lines = sorted.map((kind) => `| [${kind.kind}](${pageOf(kind)}) | ${kind.declaration.description} |`);
  const list = ["# Kinds", "", "| Kind | What it is |", "|---|---|", ...lines, ""].join("\n");
  return new Map([["README.md", list], ...sorted.map((kind) => [pageOf(kind), pageText(kind)] as const)]);
}

function pageOf({ group, kind }: Kind): string {
  return `${group}.${kind}.md`;
}

function pageText(kind: Kind): string {
  const { shortNames = [], description } = kind.declaration;
  const { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, ...own } = kind.schema().properties ?? {};
  const required = kind.schema().required ?? [];
  const rows = Object.entries(own).flatMap(([name, schema]) => rowsOf(name, schema, required.includes(name)));
  const names = [kind.resource.resource, kind.kind.toLowerCase(), ...shortNames].map((name) => `\`${name}\``);
  return [
    `# ${kind.kind}`,
    "",
    description,
    "",
    `\`${kind.apiVersion}\`, ${kind.namespaced ? "in a namespace" : "for the whole cluster"}; kubectl knows it as ${names.join(", ")}.`,
    "",
    "| Field | Type | What it says |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function rowsOf(path: string, schema: JsonSchema, isRequired: boolean): readonly string[] {
  const text = [schema.description ?? "", ...(isRequired ? ["**Required.**"] : []), ...allowed(schema)]
    .join(" ")
    .trim();
  return [`| \`${path}\` | ${typeOf(schema)} | ${text.replaceAll("|", "\\|")} |`, ...childRows(path, schema)];
}

function childRows(path: string, schema: JsonSchema): readonly string[] {
  const item = itemOf(schema);
  if (item !== undefined) return childRows(`${path}[]`, item);
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
    rowsOf(`${path}.${name}`, child, required.includes(name)),
  );
}

function typeOf(schema: JsonSchema): string {
  const item = itemOf(schema);
  if (item !== undefined) return `list of ${typeOf(item)}`;
  if (schema["x-kubernetes-int-or-string"] === true) return "integer or string";
  if (typeof schema.additionalProperties === "object") return `map of ${typeOf(schema.additionalProperties)}`;
  return schema.format === "date-time" ? "time" : (schema.type ?? "anything");
}

function itemOf({ items }: JsonSchema): JsonSchema | undefined {
  return items !== undefined && "length" in items ? undefined : items;
}

function allowed(schema: JsonSchema): readonly string[] {
  const { minimum, maximum, maxLength, maxItems } = schema;
  return [
    ...(schema.enum === undefined
      ? []
      : [
          `One of ${schema.enum.map((word) => `\`${typeof word === "string" ? word : encodeJson(word)}\``).join(", ")}.`,
        ]),
    ...(minimum === undefined ? [] : [`At least ${minimum}.`]),
    ...(maximum === undefined ? [] : [`At most ${maximum}.`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
    ...(maxItems === undefined ? [] : [`At most ${maxItems} items.`]),
    ...(schema["x-kubernetes-validations"] ?? []).map(({ message = "" }) => `Rule: ${message}.`),
  ];
}
