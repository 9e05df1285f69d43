import { createHash } from "node:crypto";
import { type AnsweredName, type CataloguedGroup, catalogueOf } from "#apiserver/discovery";
import type { Resources } from "#apiserver/registry";
import { describe } from "./describe.ts";
import { refV2, refV3, renderV2, renderV3 } from "./render.ts";

/** A document, with what tells it from an older one. */
export interface OpenApiDocument {
  readonly json: Buffer;
  readonly hash: string;
  /** The hash in quotes, as headers carry it. */
  readonly etag: string;
}

/** What the API looks like, for clients that check, explain and complete. */
export interface OpenApi {
  /** The answer of `/openapi/v3`: where each document lies. */
  index(): object;
  /** The document of a name such as `apis/apps/v1`; undefined where there is none. */
  v3(name: string): OpenApiDocument | undefined;
  /** Everything at once, in the older form. */
  v2(): OpenApiDocument;
}

/** Documents over what is served: made when they are asked for, and kept until what they tell of changes. */
export function openApiOf(resources: Resources, answered: readonly AnsweredName[]): OpenApi {
  let current: ReadonlyMap<string, Section> | undefined;
  let whole: OpenApiDocument | undefined;
  const documents = new Map<string, OpenApiDocument>();
  resources.subscribe(() => {
    current = undefined;
    whole = undefined;
  });
  const sections = () => (current ??= sectionsOf(resources, answered));
  return {
    index() {
      const paths: Record<string, object> = {};
      for (const [name, { hash }] of sections()) {
        paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
      }
      return { paths };
    },
    v3(name) {
      const section = sections().get(name);
      if (section === undefined) {
        documents.delete(name);
        return undefined;
      }
      const known = documents.get(name);
      if (known?.hash === section.hash) return known;
      const dialect = { version: "v3", ref: refV3 } as const;
      const made = renderV3(describe(resources, section.group, section.version, dialect));
      const document = { json: Buffer.from(JSON.stringify(made)), hash: section.hash, etag: `"${section.hash}"` };
      documents.set(name, document);
      return document;
    },
    v2() {
      if (whole !== undefined) return whole;
      const dialect = { version: "v2", ref: refV2 } as const;
      const all = [...sections().values()].map(({ group, version }) => describe(resources, group, version, dialect));
      const json = Buffer.from(JSON.stringify(renderV2(all)));
      const hash = hashOf(json);
      return (whole = { json, hash, etag: `"${hash}"` });
    },
  };
}

/** One version of one group. */
interface Section {
  readonly group: CataloguedGroup;
  readonly version: CataloguedGroup["versions"][number];
  /** Of what the document is made from, so that the document need not be made to know whether it has changed. */
  readonly hash: string;
}

function sectionsOf(resources: Resources, answered: readonly AnsweredName[]): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>();
  for (const group of catalogueOf(resources, answered)) {
    for (const version of group.versions) {
      const name = group.group === "" ? `api/${version.version}` : `apis/${group.group}/${version.version}`;
      sections.set(name, { group, version, hash: fingerprint(resources, group, version) });
    }
  }
  return sections;
}

const fingerprints = new WeakMap<object, string>();

function fingerprint(
  resources: Resources,
  { group }: CataloguedGroup,
  { version, resources: catalogued }: CataloguedGroup["versions"][number],
): string {
  const parts = catalogued.map((resource) => {
    const definition = resources.find({ group, resource: resource.resource })?.definition;
    if (definition === undefined || definition.behaviour.strategicPatches) return JSON.stringify(resource);
    const served = definition.versions.find((each) => each.version === version);
    return `${JSON.stringify(resource)} ${served === undefined ? "" : structureHash(served.structure)}`;
  });
  return hashOf(Buffer.from(parts.join("\n")));
}

function structureHash(structure: object): string {
  const known = fingerprints.get(structure);
  if (known !== undefined) return known;
  const hash = hashOf(Buffer.from(JSON.stringify(structure)));
  fingerprints.set(structure, hash);
  return hash;
}

function hashOf(bytes: Buffer): string {
  return createHash("sha512").update(bytes).digest("hex").toUpperCase();
}
