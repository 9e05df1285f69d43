/** What a path is about. */
export type RequestPath =
  | ({ readonly kind: "resource" } & ResourcePath)
  /** Discovery, health, documents: everything that is no resource. */
  | { readonly kind: "other"; readonly path: string };

export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Undefined where the path names none. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string;
  /** True for the old form of watches, `/api/v1/watch/…`. */
  readonly watching: boolean;
  /** True where more follows than any resource has. */
  readonly tooLong: boolean;
}

const partsOfNamespaces = new Set(["status", "finalize"]);

/** Reads a path. */
export function parsePath(path: string): RequestPath {
  const segments = path.split("/").slice(1);
  if (segments.at(-1) === "") segments.pop();
  const [root = "", ...rest] = segments;
  if (root === "api" && rest.length > 1) return resourceIn("", rest, path);
  if (root === "apis" && rest.length > 2) return resourceIn(decoded(rest[0] ?? ""), rest.slice(1), path);
  return { kind: "other", path };
}

function resourceIn(group: string, [version = "", ...given]: readonly string[], path: string): RequestPath {
  const watching = given[0] === "watch" && given.length > 1;
  const segments = (watching ? given.slice(1) : given).map(decoded);
  const inNamespace = segments[0] === "namespaces" && segments[2] !== undefined && !partsOfNamespaces.has(segments[2]);
  const [resource = "", name, subresource = "", ...more] = inNamespace ? segments.slice(2) : segments;
  if (resource === "") return { kind: "other", path };
  return {
    kind: "resource",
    group,
    version: decoded(version),
    resource,
    namespace: inNamespace ? segments[1] : undefined,
    name: name === "" ? undefined : name,
    subresource,
    watching,
    tooLong: more.length > 0,
  };
}

function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
