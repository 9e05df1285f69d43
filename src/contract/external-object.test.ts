import { describe, expect, test } from "vitest";
import { ContextError, describeError } from "#base";
import { isNotFound, type KubeObject } from "#machinery";
import { deleteExternal, getExternal, getObjectFromContractVersionedRef } from "./external-object.ts";
import { aDefinition, failureOf, testStore } from "./test-store.ts";

const machine: KubeObject = {
  apiVersion: "infra.example.com/v1alpha4",
  kind: "FooMachine",
  metadata: { name: "m1", namespace: "default" },
};
const ref = { apiVersion: machine.apiVersion, kind: "FooMachine", namespace: "default", name: "m1" };
const contractRef = { apiGroup: "infra.example.com", kind: "FooMachine", name: "m1" };
const definition = aDefinition("foomachines.infra.example.com", { "cluster.x-k8s.io/v1beta1": "v1alpha3_v1alpha4" });
const inDefault = { namespace: "default" };

describe("getExternal", () => {
  test("reads the object that a reference names", async () => {
    expect(await getExternal(testStore([machine]), ref)).toBe(machine);
  });

  test("says which object could not be read, and keeps that it was not found", async () => {
    const error = await failureOf(getExternal(testStore(), ref));
    expect(describeError(error)).toBe(
      'failed to retrieve FooMachine default/m1: foomachines.infra.example.com "m1" not found',
    );
    expect(isNotFound(error)).toBe(true);
  });

  test("without a reference there is nothing to read", async () => {
    const store = testStore([machine]);
    const error = await failureOf(getExternal(store, undefined));
    expect(describeError(error)).toBe("cannot get object - object reference not set");
    expect(store.calls).toEqual([]);
  });

  test("other failures keep their cause and are not taken for a missing object", async () => {
    const error = await failureOf(getExternal(testStore([], { get: new ContextError("boom") }), ref));
    expect(describeError(error)).toBe("failed to retrieve FooMachine default/m1: boom");
    expect(isNotFound(error)).toBe(false);
  });

  test("an object without a namespace is named by its name alone", async () => {
    const error = await failureOf(getExternal(testStore(), { apiVersion: "v1", kind: "Node", name: "n" }));
    expect(describeError(error)).toBe('failed to retrieve Node n: nodes "n" not found');
  });
});

describe("getObjectFromContractVersionedRef", () => {
  test("reads the object in the newest version that fulfils the contract", async () => {
    const store = testStore([machine, definition]);
    expect(await getObjectFromContractVersionedRef(store, contractRef, inDefault)).toBe(machine);
    expect(store.calls).toEqual([
      "get CustomResourceDefinition /foomachines.infra.example.com",
      "get FooMachine default/m1",
    ]);
  });

  test("a reference that names nothing is not set", async () => {
    for (const unset of [undefined, {}, { apiGroup: "", kind: "", name: "" }]) {
      const error = await failureOf(getObjectFromContractVersionedRef(testStore(), unset, inDefault));
      expect(describeError(error)).toBe("cannot get object - object reference not set");
    }
  });

  test("a missing definition is not taken for a missing object", async () => {
    const error = await failureOf(getObjectFromContractVersionedRef(testStore([machine]), contractRef, inDefault));
    expect(describeError(error)).toBe(
      "failed to get object from ref: failed to get CustomResourceDefinition metadata: " +
        'customresourcedefinitions.apiextensions.k8s.io "foomachines.infra.example.com" not found',
    );
    expect(isNotFound(error)).toBe(false);
  });

  test("a definition that cannot be read keeps its cause", async () => {
    const cause = new ContextError("boom");
    const error = await failureOf(
      getObjectFromContractVersionedRef(testStore([], { get: cause }), contractRef, inDefault),
    );
    expect(describeError(error)).toBe(
      "failed to get object from ref: failed to get CustomResourceDefinition metadata: boom",
    );
  });

  test("a definition without contract labels has no version to read", async () => {
    const bare = aDefinition("foomachines.infra.example.com", { "cluster.x-k8s.io/provider": "foo" });
    const error = await failureOf(
      getObjectFromContractVersionedRef(testStore([machine, bare]), contractRef, inDefault),
    );
    expect(describeError(error)).toBe(
      'failed to get object from ref: cannot find any versions matching contract versions ["v1beta2" "v1beta1"] for CRD ' +
        "foomachines.infra.example.com as contract version label(s) are either missing or empty " +
        "(see https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview.html#api-version-labels)",
    );
  });

  test("a missing object is found missing", async () => {
    const error = await failureOf(getObjectFromContractVersionedRef(testStore([definition]), contractRef, inDefault));
    expect(describeError(error)).toBe(
      'failed to retrieve FooMachine default/m1: foomachines.infra.example.com "m1" not found',
    );
    expect(isNotFound(error)).toBe(true);
  });
});

describe("deleteExternal", () => {
  test("deletes the object that a reference names", async () => {
    const store = testStore([machine]);
    expect(await deleteExternal(store, ref)).toBeUndefined();
    expect(store.objects).toEqual([]);
  });

  test("a missing object is an error, and recognised as such", async () => {
    const error = await failureOf(deleteExternal(testStore(), ref));
    expect(describeError(error)).toBe(
      'failed to delete FooMachine default/m1: foomachines.infra.example.com "m1" not found',
    );
    expect(isNotFound(error)).toBe(true);
  });

  test("without a reference there is nothing to delete", async () => {
    const error = await failureOf(deleteExternal(testStore(), undefined));
    expect(describeError(error)).toBe("cannot get object - object reference not set");
  });
});
