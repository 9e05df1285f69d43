import { ApiError } from "#machinery";
import { type MediaType, parseAccept } from "./media-type.ts";

/** Protobuf is for built-in kinds, and for clients that take nothing else: JSON is ready before they ask. */
export type Format = "json" | "yaml" | "protobuf";

/** How an answer is to be written. */
export interface Representation {
  readonly format: Format;
  /** The object itself, its metadata alone, or a row of a table. */
  readonly view: "object" | "metadata" | "table";
  /** The version of `meta.k8s.io` that metadata and tables are written in. */
  readonly metaVersion: "v1" | "v1beta1";
  readonly pretty: boolean;
  /** True where the metadata of a list is asked for, not that of one object. */
  readonly ofList: boolean;
  /** True for a client that would rather have had protobuf, in which the items of a list do not name their kind. */
  readonly bareItems?: true;
}

/** What is asked about. */
export interface Negotiation {
  readonly accept: string | undefined;
  readonly watching: boolean;
  /** Custom resources are refused in other words than built-in ones. */
  readonly custom: boolean;
}

/** An object as it is, in JSON. */
export const plainJson: Representation = {
  format: "json",
  view: "object",
  metaVersion: "v1",
  pretty: false,
  ofList: false,
};

const objectTypes = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const watchTypes = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

/** Picks the first form of an answer that the client asks for and the server has. */
export function chooseRepresentation({ accept, watching, custom }: Negotiation): Representation {
  const clauses = parseAccept(accept);
  for (const [index, clause] of clauses.entries()) {
    const representation = satisfied(clause, watching);
    if (representation === undefined) continue;
    const secondBest = clauses.slice(0, index).some(({ type }) => isProtobuf(type));
    return secondBest && representation.ofList ? { ...representation, bareItems: true } : representation;
  }
  const plainProtobuf = clauses.some(({ type, parameters }) => isProtobuf(type) && !parameters.has("as"));
  if (plainProtobuf && !custom) return { ...plainJson, format: "protobuf" };
  if (watching) throw notAcceptable(`only the following media types are accepted: ${watchTypes}`);
  const anyKnown = clauses.some(({ type }) => formatOf(type) !== undefined || isProtobuf(type));
  if (custom || anyKnown) throw notAcceptable(`only the following media types are accepted: ${objectTypes}`);
  const message = `406: Not Acceptable\n\nAvailable representations: ${objectTypes}, ${watchTypes}`;
  throw new ApiError({ httpCode: 406, reason: "NotAcceptable", message, details: {} });
}

/** How an error is written: like the answer would have been, or as JSON where that cannot be told. */
export function errorRepresentation(accept: string | undefined): Representation {
  const clauses = parseAccept(accept);
  const known = clauses.flatMap(({ type }) => formatOf(type) ?? [])[0];
  const format = known ?? (clauses.some(({ type }) => isProtobuf(type)) ? "protobuf" : "json");
  return { ...plainJson, format };
}

/** The refusal of a client that takes nothing that the server has. */
export function notAcceptable(message: string): ApiError {
  return new ApiError({ httpCode: 406, reason: "NotAcceptable", message });
}

function satisfied(clause: MediaType, watching: boolean): Representation | undefined {
  const format = formatOf(clause.type);
  if (format === undefined || (watching && format === "yaml")) return undefined;
  const { parameters } = clause;
  const pretty = parameters.get("pretty") === "1";
  const as = parameters.get("as");
  if (as === undefined) return pretty ? { ...plainJson, format, pretty } : { ...plainJson, format };
  const view = viewOf(as);
  const metaVersion = parameters.get("v");
  if (view === undefined || parameters.get("g") !== "meta.k8s.io") return undefined;
  if (metaVersion !== "v1" && metaVersion !== "v1beta1") return undefined;
  return { format, view, metaVersion, pretty, ofList: as === "PartialObjectMetadataList" };
}

function viewOf(as: string): Representation["view"] | undefined {
  if (as === "Table") return "table";
  return as === "PartialObjectMetadata" || as === "PartialObjectMetadataList" ? "metadata" : undefined;
}

function formatOf(type: string): Exclude<Format, "protobuf"> | undefined {
  if (type === "application/json" || type === "*/*" || type === "application/*") return "json";
  return type === "application/yaml" ? "yaml" : undefined;
}

function isProtobuf(type: string): boolean {
  return type === "application/vnd.kubernetes.protobuf";
}
