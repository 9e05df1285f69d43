import { ClusterClass, type ExtensionConfig } from "#api";
import { ContextError } from "#base";
import type { KubeObject, LabelSelector } from "#machinery";
import { expect, test } from "vitest";
import { classesUsing, type Lookup } from "./classes-using.ts";

const { signal } = new AbortController();

function config(namespaceSelector: LabelSelector | undefined): ExtensionConfig {
  return {
    apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
    kind: "ExtensionConfig",
    metadata: { name: "ext" },
    spec: { clientConfig: { url: "https://ext" }, ...(namespaceSelector && { namespaceSelector }) },
  };
}

function classNamed(namespace: string, name: string, ...handlers: readonly string[]): ClusterClass {
  const template = { templateRef: { apiVersion: "a/v1", kind: "T", name: "t" } };
  const patches = handlers.map((handler) => ({ name: handler, external: { discoverVariablesExtension: handler } }));
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "ClusterClass",
    metadata: { namespace, name },
    spec: { infrastructure: template, controlPlane: template, patches },
  };
}

const classes = [
  classNamed("dev", "one", "variables.ext"),
  classNamed("dev", "other", "variables.other", "ext", "a.b.ext"),
  classNamed("prod", "two", "odd", "more.ext", "variables.ext"),
];
const labels: { readonly [namespace: string]: { readonly [label: string]: string } } = { dev: { env: "dev" } };

const reader: Lookup["reader"] = {
  list: async (kind) => (kind === ClusterClass ? classes : []) as never,
  find: async (_, { name }) => {
    const found = labels[name];
    const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: found ?? {} } };
    return (found === undefined ? undefined : namespace) as never;
  },
};

const fails = async (): Promise<never> => {
  throw new ContextError("the server is away");
};

test.each<[string, LabelSelector | undefined, Partial<Lookup["reader"]>, readonly string[]]>([
  ["wakes every class that asks it, once each", {}, {}, ["dev/one", "prod/two"]],
  ["reads no namespace where all are meant", {}, { find: fails }, ["dev/one", "prod/two"]],
  ["wakes only classes in namespaces that it is for", { matchLabels: { env: "dev" } }, {}, ["dev/one"]],
  ["wakes nobody without a selector", undefined, {}, []],
  ["wakes nobody with a selector that says nothing", { matchExpressions: [{ key: "a", operator: "Bogus" }] }, {}, []],
  ["wakes nobody where classes cannot be read", {}, { list: fails }, []],
  ["wakes nobody whose namespace cannot be read", { matchLabels: { env: "dev" } }, { find: fails }, []],
])("an extension %s", async (_, selector, broken, expected) => {
  const keys = await classesUsing(config(selector), { reader: { ...reader, ...broken }, signal });
  expect(keys.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(expected);
});
