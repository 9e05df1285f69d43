import { fieldAt, type JsonObject } from "#machinery";
import { messageNameOf, packageOf } from "./type-table.ts";
import type { RealServer } from "./real-server.ts";

/** A resource as discovery tells it, with the message that its bodies are. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** `core/v1.Pod`. */
  readonly type: string;
  readonly subresources?: readonly ServedSubresource[];
}

export interface ServedSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Absent where the body is the resource itself. */
  readonly kind?: string;
  readonly type?: string;
}

/** Every resource of the groups and versions that a server serves, preferred versions first. */
export async function servedKinds(
  server: RealServer,
  schemas: ReadonlyMap<string, JsonObject>,
): Promise<readonly ServedKind[]> {
  const groups = asList(fieldAt(await server.read("/apis"), "groups"));
  const versions = groups.flatMap((group) => asList(fieldAt(group, "versions")));
  const paths = ["/api/v1", ...versions.map((version) => `/apis/${String(fieldAt(version, "groupVersion"))}`)];
  const kinds: ServedKind[] = [];
  for (const path of paths) kinds.push(...(await kindsAt(server, path, schemas)));
  return kinds;
}

async function kindsAt(server: RealServer, path: string, schemas: ReadonlyMap<string, JsonObject>) {
  const [version = "", group = ""] = path.split("/").slice(2).toReversed();
  const home = { group: path.startsWith("/api/") ? "" : group, version };
  const resources = asList(fieldAt(await server.read(path), "resources"));
  return resources
    .filter((each) => !String(fieldAt(each, "name")).includes("/"))
    .map((each): ServedKind => {
      const resource = String(fieldAt(each, "name"));
      const kind = String(fieldAt(each, "kind"));
      const below = resources
        .filter((other) => String(fieldAt(other, "name")).startsWith(`${resource}/`))
        .map((other) => subresource(other, { ...home, kind }, schemas))
        // What only connects to something that runs has no body that could be read.
        .filter(({ name, type }) => type !== "" && name !== "log");
      return {
        ...home,
        kind,
        resource,
        singular: String(fieldAt(each, "singularName")),
        ...textsAt(each, "shortNames"),
        ...textsAt(each, "categories"),
        namespaced: fieldAt(each, "namespaced") === true,
        verbs: asList(fieldAt(each, "verbs")).map(String),
        type: typeOf({ ...home, kind }, schemas),
        ...(below.length === 0 ? {} : { subresources: below }),
      };
    });
}

function subresource(
  found: unknown,
  owner: { readonly group: string; readonly version: string; readonly kind: string },
  schemas: ReadonlyMap<string, JsonObject>,
): ServedSubresource {
  const name = String(fieldAt(found, "name")).split("/").slice(1).join("/");
  const verbs = asList(fieldAt(found, "verbs")).map(String);
  const kind = String(fieldAt(found, "kind"));
  if (kind === owner.kind) return { name, verbs };
  // A version of its own comes with a group of its own.
  const home = fieldAt(found, "version") === undefined ? owner : found;
  const group = fieldAt(home, "group");
  const wanted = { group: typeof group === "string" ? group : "", version: String(fieldAt(home, "version")), kind };
  return { name, verbs, kind, type: typeOf(wanted, schemas) };
}

function typeOf(
  wanted: { readonly group: string; readonly version: string; readonly kind: string },
  schemas: ReadonlyMap<string, JsonObject>,
): string {
  for (const [name, schema] of schemas) {
    const kinds = asList(schema["x-kubernetes-group-version-kind"]);
    // Options and statuses of metav1 are listed under every group.
    const match =
      kinds.length < 5 &&
      kinds.some((each) => (["group", "version", "kind"] as const).every((key) => fieldAt(each, key) === wanted[key]));
    if (match) return `${packageOf(messageNameOf(name))}.${name.slice(name.lastIndexOf(".") + 1)}`;
  }
  return "";
}

function textsAt(object: unknown, name: string): { readonly [name: string]: readonly string[] } {
  const texts = asList(fieldAt(object, name)).map(String);
  return texts.length === 0 ? {} : { [name]: texts };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
