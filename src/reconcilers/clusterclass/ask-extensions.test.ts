import type { ClusterClass } from "#api";
import { ContextError } from "#base";
import { expect, test } from "vitest";
import { askExtensions, type AskOptions } from "./ask-extensions.ts";

type Patches = NonNullable<ClusterClass["spec"]["patches"]>;

function classWith(patches: Patches): ClusterClass {
  const template = { templateRef: { apiVersion: "a/v1", kind: "T", name: "t" } };
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "ClusterClass",
    metadata: { namespace: "default", name: "class1" },
    spec: { infrastructure: template, controlPlane: template, patches },
  };
}

function patch(name: string, handler: string, settings?: { readonly [name: string]: string }): Patches[number] {
  return { name, external: { discoverVariablesExtension: handler, ...(settings === undefined ? {} : { settings }) } };
}

/** Extensions that answer with the name of their handler, when they are told to. */
function extensions() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const options: AskOptions = {
    signal: new AbortController().signal,
    extensions: {
      call: async (_hook, handler) => {
        asked.push(handler);
        await new Promise<void>((resolve) => waiting.push(resolve));
        if (handler === "broken") throw new ContextError("no answer");
        if (handler === "bug") throw new TypeError("not our mistake");
        return { status: handler === "strict" ? "Failure" : "Success", message: "m", variables: [handler] } as never;
      },
    },
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { asked, waiting, options, settled };
}

test("sixteen extensions are asked at a time, and answers come in the order of the patches", async () => {
  const { asked, waiting, options, settled } = extensions();
  const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
  const answers = askExtensions(classWith(names.map((name) => patch(name, `of-${name}`))), options);
  const atOnce: number[] = [];
  while (asked.length < names.length || waiting.length > 0) {
    await settled();
    atOnce.push(waiting.length);
    // The last to be asked answers first.
    for (const answer of waiting.splice(0).toReversed()) answer();
  }
  expect(atOnce).toEqual([16, 16, 8]);
  expect(asked).toEqual(names.map((name) => `of-${name}`));
  expect(await answers).toEqual(
    names.map((name) => ({ patch: name, outcome: { kind: "answered", variables: [`of-${name}`] } })),
  );
});

test("patches with the same question share its answer, whatever it is", async () => {
  const { asked, waiting, options, settled } = extensions();
  const object = classWith([
    patch("a", "broken"),
    patch("b", "strict"),
    patch("c", "broken"),
    patch("d", "one", { x: "1" }),
    patch("e", "one", { x: "2" }),
    patch("f", "one", { x: "1" }),
    { name: "g", definitions: [] },
  ]);
  const answers = askExtensions(object, options);
  await settled();
  for (const answer of waiting) answer();
  expect(asked).toEqual(["broken", "strict", "one", "one"]);
  const failed = { kind: "call-failed", error: "no answer" };
  const one = { kind: "answered", variables: ["one"] };
  expect(await answers).toEqual([
    { patch: "a", outcome: failed },
    { patch: "b", outcome: { kind: "refused", status: "Failure", message: "m" } },
    { patch: "c", outcome: failed },
    { patch: "d", outcome: one },
    { patch: "e", outcome: one },
    { patch: "f", outcome: one },
  ]);
});

test("what nobody expects is thrown", async () => {
  const { waiting, options, settled } = extensions();
  const answers = askExtensions(classWith([patch("a", "bug"), patch("b", "one")]), options);
  const answering = settled().then(() => waiting.forEach((answer) => answer()));
  const [outcome] = await Promise.allSettled([answers, answering]);
  expect(outcome).toEqual({ status: "rejected", reason: new TypeError("not our mistake") });
});
