import type { CataloguedResource } from "#apiserver/discovery";
import { metaNames } from "./schema-names.ts";

/** One thing that can be asked of one path. */
export interface Operation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly id: string;
  readonly description: string;
  /** In the words of discovery: `list`, `deletecollection`. */
  readonly action: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly parameters: readonly Parameter[];
  /** The name of the schema of the body; absent where there is none. */
  readonly body?: string;
  readonly consumes: readonly string[];
  /** The name of the schema of the answer. */
  readonly answer: string;
  readonly codes: readonly number[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
}

export interface PathItem {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

/** A resource with the schemas that its paths speak of. */
export interface DescribedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: CataloguedResource;
  readonly schema: string;
  readonly listSchema: string;
  /** The schema of a part of the resource: its own, or that of a Scale. */
  readonly partSchema: (subresource: string) => string;
  readonly strategicPatches: boolean;
}

const text = (name: string, description: string, type: Parameter["type"] = "string"): Parameter => ({
  name,
  in: "query",
  type,
  description,
});

const dryRun = text("dryRun", "`All`: everything is checked and nothing is kept.");
const fieldManager = text("fieldManager", "Who owns what the request sets; at most 128 printable characters.");
const fieldValidation = text(
  "fieldValidation",
  "`Strict`, `Warn` or `Ignore`: what happens to unknown and duplicate fields.",
);
const force = text("force", "Takes fields over that others own; for apply alone.", "boolean");
const writing = [dryRun, fieldManager, fieldValidation];
const selecting = [
  text("allowWatchBookmarks", "Sends how far a watch has come now and then.", "boolean"),
  text("continue", "Goes on with a list where the page before ended."),
  text("fieldSelector", "Limits what is shown by fields."),
  text("labelSelector", "Limits what is shown by labels."),
  text("limit", "The largest number of objects in an answer.", "integer"),
  text("resourceVersion", "How old what is shown may be."),
  text("resourceVersionMatch", "How resourceVersion is meant: `Exact` or `NotOlderThan`."),
  text("sendInitialEvents", "Begins a watch with what is there.", "boolean"),
  text("timeoutSeconds", "Ends the request after so long.", "integer"),
  text("watch", "Goes on telling what happens.", "boolean"),
];
const deleting = [
  dryRun,
  text("gracePeriodSeconds", "How long the object may take to go.", "integer"),
  text("orphanDependents", "Leaves dependents alone; propagationPolicy says it better.", "boolean"),
  text("propagationPolicy", "`Orphan`, `Background` or `Foreground`: what becomes of dependents."),
];
const pretty = text("pretty", "`true`: the answer is indented.");
const inPath = (name: string, description: string): Parameter => ({ name, in: "path", type: "string", description });

const bodies = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const patches = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];

/** Every path of a resource, with what can be asked of it. */
export function pathsOf(described: DescribedResource): readonly PathItem[] {
  const { group, version, resource } = described;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const home = resource.namespaced ? `${root}/namespaces/{namespace}` : root;
  const namespace = resource.namespaced ? [inPath("namespace", "The namespace of the object.")] : [];
  const collection = `${home}/${resource.resource}`;
  const one = [inPath("name", `The name of the ${resource.kind}.`), ...namespace, pretty];
  const stored = resource.verbs.includes("get");
  const items: PathItem[] = [
    { path: collection, parameters: [...namespace, pretty], operations: collectionOperations(described) },
    ...(stored ? [{ path: `${collection}/{name}`, parameters: one, operations: objectOperations(described) }] : []),
    ...resource.subresources.map((part) => ({
      path: `${collection}/{name}/${part.name}`,
      parameters: one,
      operations: partOperations(described, part),
    })),
  ];
  if (!resource.namespaced || !stored) return items;
  const everywhere = operation(described, { method: "get", action: "list", words: "list", suffix: "ForAllNamespaces" });
  return [...items, { path: `${root}/${resource.resource}`, parameters: [pretty], operations: [everywhere] }];
}

interface OperationOptions {
  readonly method: Operation["method"];
  readonly action: string;
  readonly words: string;
  readonly part?: CataloguedResource["subresources"][number];
  readonly suffix?: string;
}

function collectionOperations(described: DescribedResource): readonly Operation[] {
  const { verbs } = described.resource;
  const all: readonly OperationOptions[] = [
    { method: "get", action: "list", words: "list or watch objects of kind" },
    { method: "post", action: "create", words: "create" },
    { method: "delete", action: "deletecollection", words: "delete a collection of" },
  ];
  return all.filter(({ action }) => verbs.includes(action)).map((each) => operation(described, each));
}

function objectOperations(described: DescribedResource): readonly Operation[] {
  const { verbs } = described.resource;
  const all: readonly OperationOptions[] = [
    { method: "get", action: "get", words: "read" },
    { method: "put", action: "update", words: "replace" },
    { method: "delete", action: "delete", words: "delete" },
    { method: "patch", action: "patch", words: "partially update" },
  ];
  return all.filter(({ action }) => verbs.includes(action)).map((each) => operation(described, each));
}

function partOperations(
  described: DescribedResource,
  part: CataloguedResource["subresources"][number],
): readonly Operation[] {
  const all: readonly OperationOptions[] = [
    { method: "get", action: "get", words: `read the ${part.name} of`, part },
    { method: "post", action: "create", words: `create the ${part.name} of`, part },
    { method: "put", action: "update", words: `replace the ${part.name} of`, part },
    { method: "patch", action: "patch", words: `partially update the ${part.name} of`, part },
  ];
  return all.filter(({ action }) => part.verbs.includes(action)).map((each) => operation(described, each));
}

function operation(described: DescribedResource, options: OperationOptions): Operation {
  const { group, version, resource, schema, listSchema, partSchema } = described;
  const { method, action, part, words, suffix = "" } = options;
  const own = part === undefined ? schema : partSchema(part.name);
  const other = part !== undefined && part.kind.kind !== resource.kind;
  const kind = other ? part.kind : { group, version, kind: resource.kind };
  const scope = resource.namespaced && suffix === "" ? "Namespaced" : "";
  const id = `${verbsInIds[action] ?? action}${title(group === "" ? "core" : group)}${title(version)}${action === "deletecollection" ? "Collection" : ""}${scope}${resource.kind}${title(part?.name ?? "")}${suffix}`;
  const description = `${words} ${resource.kind}`;
  const base = { method, id, description, action: actionsInDocuments[action] ?? action, kind };
  switch (action) {
    case "list":
      return { ...base, parameters: selecting, consumes: [], answer: listSchema, codes: [200] };
    case "get":
      return {
        ...base,
        parameters: [text("resourceVersion", "How old what is shown may be.")],
        consumes: [],
        answer: own,
        codes: [200],
      };
    case "create":
      return { ...base, parameters: writing, body: own, consumes: bodies, answer: own, codes: [200, 201, 202] };
    case "update":
      return { ...base, parameters: writing, body: own, consumes: bodies, answer: own, codes: [200, 201] };
    case "patch": {
      const consumes = described.strategicPatches ? [...patches, "application/strategic-merge-patch+json"] : patches;
      return {
        ...base,
        parameters: [...writing, force],
        body: metaNames.patch,
        consumes,
        answer: own,
        codes: [200, 201],
      };
    }
    default: {
      const parameters =
        action === "delete" ? deleting : [...deleting, ...selecting.filter(({ name }) => name !== "watch")];
      const codes = action === "delete" ? [200, 202] : [200];
      return { ...base, parameters, body: metaNames.deleteOptions, consumes: bodies, answer: metaNames.status, codes };
    }
  }
}

const verbsInIds: Readonly<Record<string, string>> = { get: "read", update: "replace", deletecollection: "delete" };
const actionsInDocuments: Readonly<Record<string, string>> = { create: "post", update: "put" };

function title(word: string): string {
  return word.replaceAll(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, first: string) => first.toUpperCase());
}
