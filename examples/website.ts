import { defineKind, type KubeObject, type ObjectOf, s } from "capstan/client";
import { defineCondition, False, finds, otherwise, row, True } from "capstan/conditions";
import { conditionsField, defineReconciler, defineStep, owned } from "capstan/control";

// A Website has a title, and for every Website there is a ConfigMap with its page.
export const Website = defineKind({
  group: "example.com",
  version: "v1",
  kind: "Website",
  plural: "websites",
  description: "A page on the web.",
  hasStatus: true,
  fields: {
    spec: s.object({ title: s.string().describe("What the page says.") }).describe("What is wanted."),
    status: s.object({ conditions: conditionsField }).describe("What was found out.").optional(),
  },
});
export type Website = ObjectOf<typeof Website>;

const ConfigMap = { group: "", version: "v1", kind: "ConfigMap" };

interface PageFacts {
  readonly forbidden?: string;
}

const publish = defineStep<Website, PageFacts>({
  name: "publish",
  text: "write the page to a ConfigMap of the same name, which goes when the Website goes",
  observe: ({ object }) => (object.spec.title.includes("<") ? { forbidden: "<" } : {}),
  async run({ object, facts, client }) {
    if (facts.forbidden !== undefined) return;
    const { name = "", namespace = "", uid = "" } = object.metadata;
    const owner = { apiVersion: "example.com/v1", kind: "Website", name, uid, controller: true };
    const page: KubeObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace, ownerReferences: [owner] },
      data: { "index.html": `<h1>${object.spec.title}</h1>` },
    };
    await client.apply(ConfigMap, page, { force: true });
  },
});

const Published = defineCondition({
  of: "Website",
  type: "Published",
  summary: "Tells whether the page is as the Website wants it.",
  reasons: ["Published", "BadTitle"],
  rows: [
    row({
      id: "bad-title",
      when: finds("the title has a sign that no title may have", badSign),
      ensure: publish,
      report: (title) => False("BadTitle", `The title contains ${title.sign}`),
    }),
  ],
  otherwise: otherwise({ id: "published", when: "the title is fine", ensure: publish, report: True("Published") }),
});

export const website = defineReconciler({
  name: "website",
  kind: Website,
  watches: [owned(ConfigMap)],
  facts: (): PageFacts => ({}),
  steps: [publish],
  conditions: [Published],
});

function badSign({ forbidden }: PageFacts): { sign: string } | undefined {
  return forbidden === undefined ? undefined : { sign: forbidden };
}
