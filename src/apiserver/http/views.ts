import { ApiError, fieldAt, type KubeList, type KubeObject, type Status } from "#machinery";
import { type ColumnDefinition, printerOf, type TablePrinter } from "#apiserver/print";
import type { Target } from "#apiserver/registry";
import { encodeObject, Encodings, jsonText, keptBytes } from "./encoded.ts";
import { notAcceptable, type Representation } from "./representation.ts";

const tables = new Encodings(4 * 1024 * 1024);
const metadatas = new Encodings(8 * 1024 * 1024);
const items = new Encodings(8 * 1024 * 1024);

/** How much of an object goes with its row. */
export type IncludedObject = "None" | "Metadata" | "Object";

/** Everything that decides how objects are written. */
export interface View {
  readonly representation: Representation;
  readonly target: Target;
  readonly include: IncludedObject;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One object, as the client wants to see it; `encode` writes it where it is wanted whole. */
export function viewOf(
  view: View,
  object: KubeObject | Status,
  encode: (object: KubeObject) => Buffer = encodeObject,
): Buffer {
  const { representation } = view;
  // A Status is what it is, whatever was asked for; so is what has another kind than the resource, such as a Scale.
  if (!isOfTarget(view, object) || representation.view === "object") {
    return isObject(object) ? encode(object) : Buffer.from(jsonText(object));
  }
  if (representation.view === "metadata") return metadataView(object, representation);
  const { resourceVersion = "" } = object.metadata;
  return tableOf(view, { resourceVersion }, [object], printerFor(view).columns);
}

/** The pieces of a list, as the client wants to see it, each made when it is asked for. */
export function listView(view: View, list: KubeList): Iterable<Buffer> {
  const { representation } = view;
  switch (representation.view) {
    case "object":
      return joined(
        `{"kind":${jsonText(list.kind)},"apiVersion":${jsonText(list.apiVersion)}`,
        // The real server's lists of custom resources always say how to go on, even if there is nothing left.
        isCustom(view.target) ? { ...list, metadata: { continue: "", ...list.metadata } } : list,
        itemEncoder(view),
      );
    case "metadata": {
      const head = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${representation.metaVersion}"`;
      const bare = representation.bareItems === true;
      return joined(head, list, bare ? bareMetadata : (object) => metadataView(object, representation));
    }
    case "table":
      return tableParts(view, list.metadata, list.items, printerFor(view).columns);
  }
}

/** The object of one event of a watch; the columns of a table are told once. */
export function eventView(view: View, object: KubeObject, first: boolean): Buffer {
  const { representation } = view;
  if (representation.view === "object") return encodeObject(object);
  if (representation.view === "metadata") return metadataView(object, representation);
  const printer = printerFor(view);
  const second = Math.trunc(view.now() / 1000);
  const form = `table ${representation.metaVersion} ${view.include} ${first ? "first" : "next"} ${second}`;
  const { resourceVersion = "" } = object.metadata;
  return tables.of(object, form, () => tableOf(view, { resourceVersion }, [object], first ? printer.columns : []));
}

/** Refuses what cannot be shown: the metadata of one object where there is a list, and the other way round. */
export function checkView({ representation, target }: View, what: "one" | "list"): void {
  const { view, ofList } = representation;
  if (view !== "metadata" || ofList === (what === "list")) return;
  if (what === "one") throw new ApiError({ httpCode: 500, reason: "", message: "content is not a list" });
  const type = isCustom(target) ? "*unstructured.UnstructuredList" : `*core.${target.definition.listKind}`;
  throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (${type})`);
}

/** True for resources that are served by a definition of their own; the real server refuses those in other words. */
export function isCustom({ definition }: Pick<Target, "definition">): boolean {
  return !definition.behaviour.strategicPatches;
}

function isOfTarget({ target }: View, object: KubeObject | Status): object is KubeObject {
  return isObject(object) && object.kind === target.definition.kind;
}

function isObject(object: KubeObject | Status): object is KubeObject {
  return object.kind !== "Status" || fieldAt(object, "status") === undefined;
}

function metadataView(object: KubeObject, { metaVersion }: Representation): Buffer {
  return metadatas.of(object.metadata, metaVersion, () => {
    const head = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${metaVersion}","metadata":`;
    return keptBytes(`${head}${jsonText(object.metadata)}}`);
  });
}

/** The items of a list of a built-in kind do not say what they are: the list does. */
function itemEncoder({ target }: View): (object: KubeObject) => Buffer {
  if (isCustom(target)) return encodeObject;
  return (object) =>
    items.of(object, "item", () => {
      const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
      return keptBytes(jsonText(rest));
    });
}

/** As in protobuf: clients that compare what they get by list and by watch count on it. */
function bareMetadata({ metadata }: KubeObject): Buffer {
  return items.of(metadata, "item", () => keptBytes(`{"metadata":${jsonText(metadata)}}`));
}

function printerFor({ target }: View): TablePrinter {
  return printerOf(target.definition, target.version);
}

function tableOf(...parameters: Parameters<typeof tableParts>): Buffer {
  return Buffer.concat([...tableParts(...parameters)]);
}

function* tableParts(
  view: View,
  metadata: KubeList["metadata"],
  objects: readonly KubeObject[],
  columns: readonly ColumnDefinition[],
): Generator<Buffer> {
  const { representation, now } = view;
  const printer = printerFor(view);
  const instant = now();
  yield Buffer.from(
    `{"kind":"Table","apiVersion":"meta.k8s.io/${representation.metaVersion}","metadata":${jsonText(metadata)},"columnDefinitions":${columns.length === 0 ? "null" : jsonText(columns)},"rows":[`,
  );
  for (const [index, object] of objects.entries()) {
    const cells = jsonText(printer.cells(object, instant));
    yield Buffer.from(`${index === 0 ? "" : ","}{"cells":${cells},"object":`);
    yield included(view, object);
    yield closing;
  }
  yield Buffer.from("]}");
}

const closing = Buffer.from("}");
const nothing = Buffer.from("null");

function included({ include, representation }: View, object: KubeObject): Buffer {
  switch (include) {
    case "None":
      return nothing;
    case "Metadata":
      return metadataView(object, representation);
    case "Object":
      return encodeObject(object);
  }
}

const comma = Buffer.from(",");

function* joined(head: string, list: KubeList, encode: (object: KubeObject) => Buffer): Generator<Buffer> {
  yield Buffer.from(`${head},"metadata":${jsonText(list.metadata)},"items":[`);
  for (const [index, object] of list.items.entries()) {
    if (index > 0) yield comma;
    yield encode(object);
  }
  yield Buffer.from("]}");
}
