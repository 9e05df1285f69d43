import type { Json } from "#machinery";
import { expect, test } from "vitest";
import { startTestServer } from "../test-server.ts";
import { createHttpTransport } from "./http-transport.ts";

const verbs = ["get", "list"];
const aggregated: Readonly<Record<string, Json>> = {
  "/api": {
    kind: "APIGroupDiscoveryList",
    items: [{ metadata: {}, versions: [{ version: "v1", resources: [namespaces()] }] }],
  },
  "/apis": {
    kind: "APIGroupDiscoveryList",
    items: [
      {
        metadata: { name: "example.com" },
        versions: [
          { version: "v2", resources: [widgets()] },
          { version: "v1", resources: [widgets()] },
        ],
      },
    ],
  },
};
const legacy: Readonly<Record<string, Json>> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/apis": {
    kind: "APIGroupList",
    groups: [
      {
        name: "example.com",
        versions: [{ version: "v2" }, { version: "v1" }],
        preferredVersion: { version: "v2" },
      },
      { name: "broken.example.com", versions: [{ version: "v1" }], preferredVersion: { version: "v1" } },
    ],
  },
  "/api/v1": {
    resources: [{ name: "namespaces", singularName: "namespace", namespaced: false, kind: "Namespace", verbs }],
  },
  "/apis/example.com/v1": { resources: legacyWidgets() },
  "/apis/example.com/v2": { resources: legacyWidgets() },
};
const found = [
  {
    group: "",
    version: "v1",
    kind: "Namespace",
    resource: "namespaces",
    singular: "namespace",
    namespaced: false,
    verbs,
    shortNames: [],
    categories: [],
    subresources: [],
    preferred: true,
  },
  ...["v2", "v1"].map((version) => ({
    group: "example.com",
    version,
    kind: "Widget",
    resource: "widgets",
    singular: "widget",
    namespaced: true,
    verbs,
    shortNames: ["w"],
    categories: ["all"],
    subresources: ["status", "scale"],
    preferred: version === "v2",
  })),
];

test("an aggregating server is asked twice", async () => {
  const { resources, requests } = await discovered(aggregated);
  expect(resources).toEqual(found);
  expect(requests).toEqual(["GET /api", "GET /apis"]);
});

test("any other server is asked group by group, and a broken group hides no other", async () => {
  const { resources, requests, warnings } = await discovered(legacy);
  expect(resources).toEqual(found);
  expect(requests).toHaveLength(6);
  expect(warnings).toEqual([
    "discovery of /apis/broken.example.com/v1 failed: the server is currently unable to handle the request (discover /apis/broken.example.com/v1)",
  ]);
});

test("a server without a core group is fine", async () => {
  const { resources } = await discovered({ "/apis": aggregated["/apis"] ?? null });
  expect(resources).toEqual(found.slice(1));
});

async function discovered(answers: Readonly<Record<string, Json>>) {
  await using server = await startTestServer({
    answer: ({ path, json }) => {
      if (Object.hasOwn(answers, path)) json(answers[path]);
      else json({}, { status: path.startsWith("/apis/broken") ? 503 : 404 });
    },
  });
  using transport = createHttpTransport(server.connection);
  const warnings: string[] = [];
  const resources = await transport.discover({ onWarning: (text) => warnings.push(text) });
  return { resources, warnings, requests: server.requests.toSorted() };
}

function namespaces(): Json {
  return {
    resource: "namespaces",
    responseKind: { group: "", version: "v1", kind: "Namespace" },
    scope: "Cluster",
    singularResource: "namespace",
    verbs,
  };
}

function widgets(): Json {
  return {
    resource: "widgets",
    responseKind: { kind: "Widget" },
    scope: "Namespaced",
    singularResource: "widget",
    verbs,
    shortNames: ["w"],
    categories: ["all"],
    subresources: [{ subresource: "status" }, { subresource: "scale" }],
  };
}

function legacyWidgets(): Json {
  const names = { singularName: "widget", shortNames: ["w"], categories: ["all"] };
  return [
    { name: "widgets", namespaced: true, kind: "Widget", verbs, ...names },
    { name: "widgets/status", namespaced: true, kind: "Widget", verbs },
    { name: "widgets/scale", namespaced: true, kind: "Scale", verbs },
  ];
}
