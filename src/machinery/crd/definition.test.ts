import { describe, expect, test } from "vitest";
import { describeFieldError } from "../field-error.ts";
import type { JsonObject } from "../json.ts";
import type { KubeObject } from "../object.ts";
import { approvalCondition } from "./api-approval.ts";
import { defaultDefinition, definitionToCreate, definitionToUpdate } from "./default-definition.ts";
import type { CustomResourceDefinition, DefinitionNames } from "./definition.ts";
import { claimedNames, decideNames } from "./names-accepted.ts";
import { compileColumns, humanDuration } from "./printer-columns.ts";
import { MalformedDefinitionError, readDefinition } from "./read-definition.ts";
import { readScale, scaleSpecErrors, scaleStatusErrors, withReplicas } from "./scale.ts";
import { validateCrd } from "./validate-crd.ts";
import { compareVersions } from "./version-order.ts";

const names: DefinitionNames = { plural: "things", kind: "Thing" };

function definition(spec: object = {}, status?: CustomResourceDefinition["status"]): CustomResourceDefinition {
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } };
  const base = { group: "example.com", names, scope: "Namespaced", versions: [version] };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { ...base, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

describe("a definition from the wire", () => {
  test("loses what nobody knows and gets what has to be there", () => {
    const object = {
      ...definition(),
      spec: { names: { plural: "a", odd: 1 }, versions: [{ name: "v1", schema: null }] },
    };
    const read = readDefinition(object);
    expect(read.definition.spec).toEqual({
      group: "",
      scope: "",
      names: { plural: "a", kind: "" },
      versions: [{ name: "v1", served: false, storage: false }],
    });
    expect(read.unknownFields).toEqual(["spec.names.odd"]);
  });

  test.each<readonly [string, object, string]>([
    [
      "a list of texts",
      { versions: ["v1"] },
      "cannot unmarshal string into Go struct field CustomResourceDefinition.spec.versions[0]",
    ],
    [
      "a text",
      { versions: "v1" },
      "cannot unmarshal string into Go struct field CustomResourceDefinition.spec.versions",
    ],
    [
      "a number",
      { group: 5 },
      "cannot unmarshal number into Go struct field CustomResourceDefinition.spec.group of type string",
    ],
    ["a flag", { names: true }, "cannot unmarshal bool into Go struct field CustomResourceDefinition.spec.names"],
  ])("with %s in the wrong place is refused", (_, spec, message) => {
    const attempt = (): unknown => readDefinition(definition(spec));
    expect(attempt).toThrow(MalformedDefinitionError);
    expect(attempt).toThrow(message);
  });

  test.each([null, {}])("with %j as its spec is found wanting", (spec) => {
    const object = { ...definition(), spec } as unknown as KubeObject;
    expect(validateCrd(defaultDefinition(readDefinition(object).definition)).length).toBeGreaterThan(5);
  });

  test.each([5, "x", [], true])("with %j as its spec is refused", (spec) => {
    expect(() => readDefinition({ ...definition(), spec })).toThrow(MalformedDefinitionError);
  });
});

describe("defaults of a definition", () => {
  test("name the list kind and the singular, convert nothing and store in the storage version", () => {
    const filled = defaultDefinition(definition());
    expect(filled.spec.names).toEqual({ plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" });
    expect(filled.spec.conversion).toEqual({ strategy: "None" });
    expect(filled.status?.storedVersions).toEqual(["v1"]);
  });

  test("keep what is there, and know the port of services", () => {
    const clientConfig = { service: { name: "s", namespace: "n" } };
    const conversion = { strategy: "Webhook", webhook: { clientConfig } };
    const filled = defaultDefinition(definition({ names: { ...names, listKind: "Things" }, conversion }));
    expect(filled.spec.names.listKind).toBe("Things");
    expect(filled.spec.conversion?.webhook?.clientConfig?.service?.port).toBe(443);
  });

  test("drop the status that a client sends, and add a new storage version on update", () => {
    const sent = definition({}, { storedVersions: ["v9"] });
    expect(definitionToCreate(sent).status).toEqual({ storedVersions: ["v1"] });
    const old = definition({}, { storedVersions: ["v0"] });
    expect(definitionToUpdate(sent, old).status).toEqual({ storedVersions: ["v0", "v1"] });
  });
});

describe("a definition", () => {
  test("whose schema is nested too deeply is refused, not crashed on", () => {
    let schema: object = { type: "string" };
    for (let level = 0; level < 400; level++) schema = { type: "array", items: schema };
    const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const errors = validateCrd(defaultDefinition(definition({ versions: [version] })));
    expect(errors.map(describeFieldError)).toEqual([
      "spec.validation.openAPIV3Schema: Forbidden: must not be nested deeper than 300 levels",
    ]);
  });

  test("that is fine otherwise has its CEL rules checked where it is told how", () => {
    const asked: string[] = [];
    const checkRules = (_: unknown, path: { toString(): string }): readonly [] => {
      asked.push(path.toString());
      return [];
    };
    validateCrd(defaultDefinition(definition()), undefined, { checkRules });
    validateCrd(defaultDefinition(definition({ versions: [] })), undefined, { checkRules });
    expect(asked).toEqual(["spec.validation.openAPIV3Schema"]);
  });

  test("in a group of the community says whether it is approved", () => {
    expect(approvalCondition(definition())).toBeUndefined();
    expect(approvalCondition(definition({ group: "a.k8s.io" }))?.reason).toBe("MissingAnnotation");
    expect(approvalCondition(definition({ group: "a.x-k8s.io" }))).toBeUndefined();
  });
});

describe("names", () => {
  const filled = defaultDefinition(definition());
  const taken = (own: Partial<DefinitionNames>): CustomResourceDefinition =>
    definition({}, { acceptedNames: { plural: "others", kind: "Other", ...own } });

  test("that nobody has are given, and the definition is established", () => {
    const decision = decideNames(filled, claimedNames([taken({})], "example.com"));
    expect(decision.acceptedNames).toEqual(filled.spec.names);
    expect(decision.namesAccepted).toEqual({
      type: "NamesAccepted",
      status: "True",
      reason: "NoConflicts",
      message: "no conflicts found",
    });
    expect(decision.established).toEqual({
      type: "Established",
      status: "True",
      reason: "InitialNamesAccepted",
      message: "the initial names have been accepted",
    });
  });

  test.each<readonly [string, Partial<DefinitionNames>, Partial<DefinitionNames>, string, string]>([
    ["the list kind", {}, { listKind: "ThingList" }, "ListKindConflict", '"ThingList" is already in use'],
    ["the plural", {}, { singular: "things" }, "PluralConflict", '"things" is already in use'],
    ["a short name", { shortNames: ["th"] }, { shortNames: ["th"] }, "ShortNamesConflict", '"th" is already in use'],
    [
      "two short names",
      { shortNames: ["a", "b"] },
      { shortNames: ["a", "b"] },
      "ShortNamesConflict",
      '["a" is already in use, "b" is already in use]',
    ],
  ])("of which %s is taken are refused", (_, wanted, others, reason, message) => {
    const wants = defaultDefinition(definition({ names: { ...names, ...wanted } }));
    const decision = decideNames(wants, claimedNames([taken(others)], "example.com"));
    expect(decision.namesAccepted).toEqual({ type: "NamesAccepted", status: "False", reason, message });
    expect(decision.established).toEqual({
      type: "Established",
      status: "False",
      reason: "NotAccepted",
      message: "not all names are accepted",
    });
  });

  test("that a definition has been given stay its own, and it stays established", () => {
    const established = { type: "Established", status: "True" as const, reason: "InitialNamesAccepted" };
    const own = { ...filled, status: { acceptedNames: filled.spec.names, conditions: [established] } };
    const decision = decideNames(own, claimedNames([own, taken({ shortNames: ["x"] })], "example.com"));
    expect(decision.namesAccepted.status).toBe("True");
    expect(decision.established).toBe(established);
  });

  test("of other groups do not matter", () => {
    expect(claimedNames([taken({})], "other.com").kinds.size).toBe(0);
  });
});

test("versions are ordered as Kubernetes prefers them", () => {
  const versions = [
    "foo10",
    "v1alpha1",
    "v11beta2",
    "v1",
    "v10",
    "v2",
    "v3beta1",
    "foo1",
    "v12alpha1",
    "v11alpha2",
    "v10beta3",
  ];
  expect(versions.toSorted(compareVersions)).toEqual([
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v10beta3",
    "v3beta1",
    "v12alpha1",
    "v11alpha2",
    "v1alpha1",
    "foo1",
    "foo10",
  ]);
});

describe("printer columns", () => {
  const object: JsonObject = {
    metadata: { creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { replicas: 3, ratio: 1.5, on: true, list: ["<a>", { b: 1 }], nothing: null, text: "t" },
  };
  const now = Date.parse("2026-01-01T01:30:00Z");
  test.each<readonly [string, string, unknown]>([
    ["string", ".spec.text", "t"],
    ["string", ".spec.replicas", "3"],
    ["string", ".spec.on", "true"],
    ["string", ".spec.list", String.raw`["\u003ca\u003e",{"b":1}]`],
    ["string", ".spec.list[1]", '{"b":1}'],
    ["string", ".spec.nothing", "<no value>"],
    ["string", ".spec.missing", null],
    ["string", ".spec.list[9]", null],
    ["integer", ".spec.replicas", 3],
    ["integer", ".spec.ratio", 1],
    ["integer", ".spec.text", null],
    ["number", ".spec.ratio", 1.5],
    ["boolean", ".spec.on", true],
    ["boolean", ".spec.text", null],
    ["date", ".metadata.creationTimestamp", "90m"],
    ["date", ".spec.text", "<invalid>"],
    ["date", ".spec.missing", null],
    ["odd", ".spec.text", null],
  ])("of type %s show %s", (type, jsonPath, cell) => {
    expect(compileColumns([{ name: "A", type, jsonPath }])(object, now)).toEqual([cell]);
  });

  test.each<readonly [number, string]>([
    [-5, "<invalid>"],
    [-1, "0s"],
    [119, "119s"],
    [120, "2m"],
    [599, "9m59s"],
    [600, "10m"],
    [10_799, "179m"],
    [10_800, "3h"],
    [12_000, "3h20m"],
    [28_800, "8h"],
    [172_800, "2d"],
    [187_200, "2d4h"],
    [8 * 86_400, "8d"],
    [729 * 86_400, "729d"],
    [731 * 86_400, "2y1d"],
    [3000 * 86_400, "8y"],
  ])("show %d seconds as %s", (seconds, printed) => {
    expect(humanDuration(seconds * 1000)).toBe(printed);
  });
});

describe("scale", () => {
  const paths = {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.s",
  };

  test("is read and written along its paths", () => {
    const object = { spec: { replicas: 3 }, status: { s: "a=b" } };
    expect(readScale(object, paths)).toEqual({ specReplicas: 3, statusReplicas: undefined, selector: "a=b" });
    expect(withReplicas(object, 5, paths)).toEqual({ spec: { replicas: 5 }, status: { s: "a=b" } });
    expect(withReplicas({}, 1, paths)).toEqual({ spec: { replicas: 1 } });
  });

  test.each<readonly [JsonObject, readonly string[]]>([
    [{}, []],
    [{ spec: { replicas: -1 } }, [".spec.replicas: Invalid value: -1: should be a non-negative integer"]],
    [
      { spec: { replicas: 2 ** 31 } },
      [".spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647"],
    ],
    [
      { spec: { replicas: "1" } },
      [".spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1 is of the type string, expected int64"],
    ],
    [
      { status: { s: 5 } },
      ['.status.s: Invalid value: "": .status.s accessor error: 5 is of the type int64, expected string'],
    ],
  ])("of %j is checked", (object, expected) => {
    const errors = [...scaleSpecErrors(object, paths), ...scaleStatusErrors(object, paths)];
    expect(errors.map(describeFieldError)).toEqual(expected);
  });
});
