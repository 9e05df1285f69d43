import { describe, expect, test } from "vitest";
import { ContextError, describeError } from "#base";
import { isNotFound } from "#machinery";
import {
  compareApiVersions,
  compatibleVersions,
  getApiVersion,
  getContractVersion,
  getContractVersionForVersion,
  latestContractAndApiVersion,
  updateReferenceApiContract,
} from "./contract-version.ts";
import { definitionName, getDefinitionMetadata } from "./definition-metadata.ts";
import { DefinitionMetadataError } from "./errors.ts";
import { aDefinition, failureOf, testStore } from "./test-store.ts";

const foo = { group: "a.io", kind: "Foo" };
const noDefinition =
  'failed to get CustomResourceDefinition metadata: customresourcedefinitions.apiextensions.k8s.io "foos.a.io" not found';
const help =
  "as contract version label(s) are either missing or empty " +
  "(see https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview.html#api-version-labels)";

test.each([
  ["v1beta2", ["v1beta2", "v1beta1"]],
  ["v1beta1", ["v1beta1"]],
  ["v1alpha4", ["v1alpha4"]],
  ["v1beta3", ["v1beta3"]],
])("contract %s understands %j", (current, understood) => {
  expect(compatibleVersions(current)).toEqual(understood);
});

describe("the newest version that fulfils a contract", () => {
  test.each<[string, Readonly<Record<string, string>>, string, string]>([
    ["v1beta2", { v1beta2: "v1beta2" }, "v1beta2", "v1beta2"],
    ["v1beta2", { v1beta1: "v1alpha1_v1alpha2", v1beta2: "v1alpha3_v1alpha4" }, "v1beta2", "v1alpha4"],
    ["v1beta1", { v1beta1: "v1alpha1_v1alpha2", v1beta2: "v1alpha3_v1alpha4" }, "v1beta1", "v1alpha2"],
    ["v1beta2", { v1beta1: "v1alpha1_v1alpha2", v1beta2: "" }, "v1beta1", "v1alpha2"],
    ["v1beta2", { v1beta2: "v1_v10_v2" }, "v1beta2", "v10"],
    ["v1beta2", { v1beta2: "v1beta2_v1beta10_v2alpha1" }, "v1beta2", "v1beta10"],
    ["v1beta2", { v1beta2: "bbb_aaa" }, "v1beta2", "aaa"],
    ["v1beta2", { v1beta2: "v1alpha1,v1beta1" }, "v1beta2", "v1alpha1,v1beta1"],
    ["v1beta2", { v1beta2: "_" }, "v1beta2", ""],
  ])("for contract %s and %j it is %s, %j", (current, versions, contractVersion, apiVersion) => {
    const labels = labelsFor(versions);
    expect(latestContractAndApiVersion({ name: "foos.a.io", labels }, current)).toEqual({
      contractVersion,
      apiVersion,
    });
  });

  test("without labels there is none", () => {
    expect(() => latestContractAndApiVersion({ name: "foos.a.io" }, "v1beta1")).toThrow(
      `cannot find any versions matching contract versions ["v1beta1"] for CRD foos.a.io ${help}`,
    );
  });

  test("without a contract there is none", () => {
    expect(() => latestContractAndApiVersion({ name: "foos.a.io" }, "")).toThrow(
      "current contract version cannot be empty",
    );
  });
});

test.each([
  ["v1", "v1", 0],
  ["v1", "v1beta1", 1],
  ["v1beta2", "v1beta10", -1],
  ["v2alpha1", "v1beta1", -1],
  ["v1alpha1", "", 1],
  ["bar", "foo", 1],
  ["v9007199254740993", "v9007199254740992", 1],
])("%j compared with %j is %i", (a, b, sign) => {
  expect(Math.sign(compareApiVersions(a, b))).toBe(sign);
  expect(compareApiVersions(b, a) + compareApiVersions(a, b)).toBe(0);
});

describe("a definition", () => {
  test("is named by the plural of its kind and its group", () => {
    expect(definitionName({ group: "infra.example.com", kind: "VSphereClusterIdentity" })).toBe(
      "vsphereclusteridentities.infra.example.com",
    );
  });

  test("that is missing is known by its name", async () => {
    const error = await failureOf(getDefinitionMetadata(testStore(), foo));
    expect(describeError(error)).toBe(noDefinition);
    expect(isNotFound(error)).toBe(true);
    expect(error instanceof DefinitionMetadataError && error.definition).toBe("foos.a.io");
  });
});

describe("looked up by the kind", () => {
  const store = testStore([aDefinition("foos.a.io", labelsFor({ v1beta1: "v1alpha1_v1alpha2", v1beta2: "v1_v2" }))]);

  test("the contract and the version are those of the newest label", async () => {
    expect(await getContractVersion(store, foo)).toBe("v1beta2");
    expect(await getApiVersion(store, foo)).toBe("a.io/v2");
  });

  test("a missing definition is named in front of what went wrong, and found missing", async () => {
    const [contract, version] = [getContractVersion(testStore(), foo), getApiVersion(testStore(), foo)];
    expect(describeError(await failureOf(contract))).toBe(
      `failed to get contract version for kind Foo: ${noDefinition}`,
    );
    const error = await failureOf(version);
    expect(describeError(error)).toBe(`failed to get apiVersion for kind Foo: ${noDefinition}`);
    expect(isNotFound(error)).toBe(true);
  });

  test.each([
    ["v1", "v1beta2"],
    ["v1alpha2", "v1beta1"],
  ])("the contract of version %s is %s", async (version, contract) => {
    expect(await getContractVersionForVersion(store, { ...foo, version })).toBe(contract);
  });

  test("any label of the group counts as a contract", async () => {
    const odd = testStore([aDefinition("foos.a.io", labelsFor({ provider: "v1" }))]);
    expect(await getContractVersionForVersion(odd, { ...foo, version: "v1" })).toBe("provider");
  });

  test("a version that no label names has no contract", async () => {
    const error = await failureOf(getContractVersionForVersion(store, { ...foo, version: "v3" }));
    expect(describeError(error)).toBe("cannot find any contract version matching version v3 for CRD foos.a.io");
  });

  test("a definition that cannot be read is said to be the reason", async () => {
    const broken = testStore([], { get: new ContextError("boom") });
    const error = await failureOf(getContractVersionForVersion(broken, { ...foo, version: "v1" }));
    expect(describeError(error)).toBe(
      "failed to get contract version for version v1 for kind Foo: " +
        "failed to get CustomResourceDefinition metadata: boom",
    );
  });
});

describe("updateReferenceApiContract", () => {
  const store = testStore([aDefinition("foos.a.io", labelsFor({ v1beta1: "v1beta1" }))]);

  test.each(["a.io/v1alpha1", "a.io/v1beta1", "a.io/v2"])(
    "%s becomes the version of the contract",
    async (apiVersion) => {
      const ref = { apiVersion, kind: "Foo", name: "x", namespace: "ns" };
      expect(await updateReferenceApiContract(store, ref)).toEqual({ ...ref, apiVersion: "a.io/v1beta1" });
    },
  );

  test("a reference that cannot be updated stays as it is", async () => {
    const ref = { apiVersion: "a.io/v1", kind: "Foo", name: "x" };
    const error = await failureOf(updateReferenceApiContract(testStore(), ref));
    expect(describeError(error)).toBe(`failed to update apiVersion in ref: ${noDefinition}`);
    expect(ref.apiVersion).toBe("a.io/v1");
  });
});

function labelsFor(versions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(versions).map(([contract, value]) => [`cluster.x-k8s.io/${contract}`, value]),
  );
}
