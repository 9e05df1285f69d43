import { createHash } from "node:crypto";
import type { Resources } from "#apiserver/registry";
import { aggregated } from "./aggregated.ts";
import { type AnsweredName, type CataloguedGroup, catalogueOf } from "./catalogue.ts";
import { coreVersions, groupList, resourceList, singleGroup } from "./legacy.ts";

/** An answer that is the same until what is served changes. */
export interface DiscoveryDocument {
  readonly json: Buffer;
  /** A hash of the content, in quotes, as headers carry it. */
  readonly etag: string;
}

/** Tells clients what there is. */
export interface Discovery {
  /** `/api` (core) or `/apis` (groups) in the form that holds everything. */
  aggregated(which: "core" | "groups", version: "v2" | "v2beta1"): DiscoveryDocument;
  /** The older form of a path such as `/api`, `/apis` or `/apis/apps/v1`; undefined where there is nothing. */
  legacy(path: string, address: string): Buffer | undefined;
  /** The paths of all groups and versions. */
  paths(): readonly string[];
}

/** Discovery over what is served; documents are made when they are asked for and kept until something changes. */
export function discoveryOf(resources: Resources, answered: readonly AnsweredName[]): Discovery {
  let groups: readonly CataloguedGroup[] | undefined;
  const documents = new Map<string, DiscoveryDocument>();
  resources.subscribe(() => {
    groups = undefined;
    documents.clear();
  });
  const catalogue = () => (groups ??= catalogueOf(resources, answered));
  const document = (name: string, make: () => object): DiscoveryDocument => {
    const known = documents.get(name);
    if (known !== undefined) return known;
    const json = Buffer.from(JSON.stringify(make()));
    const made = { json, etag: `"${createHash("sha512").update(json).digest("hex").toUpperCase()}"` };
    documents.set(name, made);
    return made;
  };
  return {
    aggregated: (which, version) =>
      document(`${which} ${version}`, () =>
        aggregated(
          catalogue().filter(({ group }) => (group === "") === (which === "core")),
          version,
        ),
      ),
    legacy(path, address) {
      const make = legacyMaker(catalogue(), path.split("/").slice(1), address);
      return make && document(`${path} ${address}`, make).json;
    },
    paths: () =>
      catalogue().flatMap(({ group, versions }) =>
        group === ""
          ? versions.map(({ version }) => `/api/${version}`)
          : [`/apis/${group}`, ...versions.map(({ version }) => `/apis/${group}/${version}`)],
      ),
  };
}

function legacyMaker(
  groups: readonly CataloguedGroup[],
  [root, first, second]: readonly string[],
  address: string,
): (() => object) | undefined {
  if (first === undefined) return root === "api" ? () => coreVersions(address) : () => groupList(groups);
  const name = root === "api" ? "" : first;
  const group = groups.find((each) => each.group === name);
  if (group === undefined) return undefined;
  const wanted = root === "api" ? first : second;
  if (wanted === undefined) return () => singleGroup(group);
  const version = group.versions.find((each) => each.version === wanted);
  return version && (() => resourceList(name, version));
}
