import { describe, expect, expectTypeOf, test } from "vitest";
import type { Cluster } from "#api";
import type { Json, KubeObject } from "#machinery";
import { createCatalog } from "./catalog.ts";
import { describeGroupHook, describeHook, hookPath } from "./group-version-hook.ts";
import { defineHook, type RequestOf, type ResponseOf } from "./hook.ts";
import { CanUpdateMachine, UpdateMachine } from "./in-place-hooks.ts";
import { BeforeClusterUpgrade } from "./lifecycle-hooks.ts";
import { runtimeCatalog } from "./runtime-catalog.ts";
import { Discovery } from "./runtime-hook.ts";
import { DiscoverVariables, type GeneratePatches } from "./topology-hooks.ts";

const group = "hooks.runtime.cluster.x-k8s.io";

describe("the hooks of Cluster API", () => {
  test("can hold back where the reference lets them", () => {
    const holding = runtimeCatalog.hooks.filter((hook) => hook.canHoldBack).map(({ hook }) => hook);
    expect(holding).toEqual([
      "BeforeClusterCreate",
      "BeforeClusterUpgrade",
      "BeforeControlPlaneUpgrade",
      "AfterControlPlaneUpgrade",
      "BeforeWorkersUpgrade",
      "AfterWorkersUpgrade",
      "AfterClusterUpgrade",
      "BeforeClusterDelete",
      "UpdateMachine",
    ]);
  });

  test("are named by group, version and hook", () => {
    expect(describeHook(BeforeClusterUpgrade)).toBe(`${group}/v1alpha1, Hook=BeforeClusterUpgrade`);
    expect(describeGroupHook(BeforeClusterUpgrade)).toBe(`BeforeClusterUpgrade.${group}`);
    expect(hookPath(BeforeClusterUpgrade)).toBe(`/${group}/v1alpha1/beforeclusterupgrade`);
    expect(hookPath(BeforeClusterUpgrade, "Quota")).toBe(`/${group}/v1alpha1/beforeclusterupgrade/quota`);
  });

  test("have a question and an answer of their own", () => {
    expectTypeOf<RequestOf<typeof BeforeClusterUpgrade>["cluster"]>().toEqualTypeOf<Cluster>();
    expectTypeOf<RequestOf<typeof BeforeClusterUpgrade>["settings"]>().toEqualTypeOf<
      { readonly [key: string]: string } | undefined
    >();
    expectTypeOf<ResponseOf<typeof BeforeClusterUpgrade>["retryAfterSeconds"]>().toEqualTypeOf<number>();
    expectTypeOf<RequestOf<typeof GeneratePatches>["items"][number]["object"]>().toEqualTypeOf<KubeObject>();
    expectTypeOf<ResponseOf<typeof UpdateMachine>["status"]>().toEqualTypeOf<string>();
  });

  test("may be entered once, as they are", () => {
    const other = defineHook({ ...Discovery, request: {}, response: {} });
    expect(createCatalog("c", [Discovery, Discovery]).hooks).toEqual([Discovery]);
    expect(() => createCatalog("c", [Discovery, other])).toThrow(
      `hook ${group}/v1alpha1, Hook=Discovery is entered twice in catalog "c"`,
    );
  });

  test("are found by their exact name", () => {
    expect(runtimeCatalog.find({ group, version: "v1alpha1", hook: "Discovery" })).toBe(Discovery);
    expect(() => runtimeCatalog.get({ group, version: "v1alpha1", hook: "discovery" })).toThrow(
      `hook ${group}/v1alpha1, Hook=discovery is not registered in catalog "runtime"`,
    );
  });
});

describe("an answer", () => {
  const cases: Readonly<Record<string, { readonly body: Json; readonly read: object }>> = {
    "that says nothing is empty": { body: {}, read: { status: "", message: "", variables: [] } },
    "that is null is empty": { body: null, read: { status: "", message: "", variables: [] } },
    "loses what its kind does not have": {
      body: { status: "Success", more: 1 },
      read: { status: "Success", message: "", variables: [] },
    },
    "may hold nulls where there is nothing to say": {
      body: { status: "Success", message: null, variables: null },
      read: { status: "Success", message: "", variables: [] },
    },
    "keeps the schemas of variables whole": {
      body: { variables: [{ name: "a", required: true, schema: { openAPIV3Schema: { type: "string", x: [null] } } }] },
      read: {
        status: "",
        message: "",
        variables: [{ name: "a", required: true, schema: { openAPIV3Schema: { type: "string", x: [null] } } }],
      },
    },
  };
  test.each(Object.entries(cases))("%s", (_, { body, read }) => {
    expect(DiscoverVariables.readResponse(body)).toEqual(read);
  });

  test.each([
    ["a list", [], "cannot read a list as DiscoverVariablesResponse"],
    ["a text", "ok", "cannot read a text as DiscoverVariablesResponse"],
    [
      "a status of another type",
      { status: 1 },
      'cannot read DiscoverVariablesResponse: status: Invalid value: "integer": status in body must be of type string: "integer"',
    ],
  ])("%s is not understood", (_, body, message) => {
    expect(() => DiscoverVariables.readResponse(body as Json)).toThrow(message);
  });

  test("of UpdateMachine holds nothing back unless it says so", () => {
    expect(UpdateMachine.readResponse({ status: "Success" })).toEqual({
      status: "Success",
      message: "",
      retryAfterSeconds: 0,
    });
  });

  test("leaves out patches that there are not", () => {
    expect(CanUpdateMachine.readResponse({ machinePatch: { patchType: "JSONPatch", patch: "W10=" } })).toEqual({
      status: "",
      message: "",
      machinePatch: { patchType: "JSONPatch", patch: "W10=" },
    });
  });
});

describe("a question", () => {
  test("keeps whole objects as they are", () => {
    const cluster = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { name: "c" }, other: 1 };
    const body = { cluster, fromKubernetesVersion: "v1.34.0", toKubernetesVersion: "v1.35.0", unknown: true };
    expect(BeforeClusterUpgrade.readRequest(body)).toEqual({
      cluster,
      fromKubernetesVersion: "v1.34.0",
      toKubernetesVersion: "v1.35.0",
    });
  });

  test("without what it needs is not understood", () => {
    expect(() => BeforeClusterUpgrade.readRequest({})).toThrow(
      "cannot read BeforeClusterUpgradeRequest: [cluster: Required value, fromKubernetesVersion: Required value, " +
        "toKubernetesVersion: Required value]",
    );
  });
});
