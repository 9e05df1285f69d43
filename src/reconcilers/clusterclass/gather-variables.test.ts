import type { ClusterClass } from "#api";
import { ContextError } from "#base";
import type { Json } from "#machinery";
import { describe, expect, test } from "vitest";
import { type DiscoveryPorts, gatherVariables } from "./gather-variables.ts";

interface Answer {
  readonly status: string;
  readonly message?: string;
  readonly variables?: readonly Json[];
}

const text = { openAPIV3Schema: { type: "string" } } as const;
const { signal } = new AbortController();

function classWith(spec: Partial<ClusterClass["spec"]>): ClusterClass {
  const template = { templateRef: { apiVersion: "a/v1", kind: "T", name: "t" } };
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "ClusterClass",
    metadata: { namespace: "default", name: "class1" },
    spec: { infrastructure: template, controlPlane: template, ...spec },
  };
}

/** A class whose patches are called like the handlers that they ask. */
function asking(...handlers: readonly string[]): ClusterClass {
  return classWith({
    patches: handlers.map((name) => ({ name, external: { discoverVariablesExtension: name, settings: { of: name } } })),
  });
}

function portsWith(answers: { readonly [handler: string]: Answer | Error }) {
  const asked: object[] = [];
  const ports: DiscoveryPorts = {
    runtimeSDK: true,
    extensions: {
      call: async (hook, handler, { settings }, { for: about, cache } = {}) => {
        asked.push({ hook: hook.hook, handler, settings, about, cache });
        const answer = answers[handler] ?? new ContextError("no such handler");
        if (answer instanceof Error) throw answer;
        return { message: "", variables: [], ...answer } as never;
      },
    },
  };
  return { asked, ports };
}

const success = (...variables: readonly Json[]): Answer => ({ status: "Success", variables });

test("variables of the class come with those of its extensions, in the order of their names", async () => {
  const { ports, asked } = portsWith({ one: success({ name: "a", schema: text }), two: success() });
  const object = asking("one", "two");
  const inline = { name: "b", required: true, schema: text };
  const gathered = await gatherVariables({ ...object, spec: { ...object.spec, variables: [inline] } }, ports, {
    signal,
  });
  expect(gathered).toEqual({
    kind: "known",
    conflicts: [],
    variables: [
      { name: "a", definitionsConflict: false, definitions: [{ from: "one", required: false, schema: text }] },
      { name: "b", definitionsConflict: false, definitions: [{ from: "inline", required: true, schema: text }] },
    ],
  });
  const about = { namespace: "default", name: "class1" };
  expect(asked).toEqual([
    { hook: "DiscoverVariables", handler: "one", settings: { of: "one" }, about, cache: true },
    { hook: "DiscoverVariables", handler: "two", settings: { of: "two" }, about, cache: true },
  ]);
});

test("without the gate nobody is asked, and patches without a handler ask nobody", async () => {
  const { ports, asked } = portsWith({});
  await gatherVariables(asking("one"), { ...ports, runtimeSDK: false }, { signal });
  await gatherVariables(classWith({ patches: [{ name: "p" }, { name: "q", external: {} }] }), ports, { signal });
  expect(asked).toEqual([]);
});

describe("problems", () => {
  const problemsOf = async (answers: { readonly [handler: string]: Answer | Error }) => {
    const gathered = await gatherVariables(asking(...Object.keys(answers)), portsWith(answers).ports, { signal });
    return gathered.kind === "unknown" ? gathered.problems : [];
  };

  test("come in the order of the patches, and all patches are asked", async () => {
    const problems = await problemsOf({
      one: new ContextError("failed to call", { cause: new ContextError("refused") }),
      two: { status: "Failure", message: "not today" },
      three: success("nonsense", { name: "a", schema: text }),
    });
    expect(problems).toEqual([
      { kind: "call-failed", patch: "one", error: "failed to call: refused" },
      { kind: "refused", patch: "two", status: "Failure", message: "not today" },
      { kind: "not-convertible", variable: "" },
    ]);
  });

  test("of definitions are told one by one", async () => {
    const bogus = { openAPIV3Schema: { type: "bogus" } };
    const [problem] = await problemsOf({ one: success({ name: "a", schema: bogus }, { name: "b.c", schema: text }) });
    expect(problem).toEqual({
      kind: "invalid",
      patch: "one",
      errors: [
        expect.stringContaining('one.variables[a].schema.openAPIV3Schema.type: Unsupported value: "bogus"'),
        'one.variables[b.c].name: Invalid value: "b.c": variable name cannot contain "."',
      ],
    });
  });

  test("spare later answers from being checked", async () => {
    const bogus = success({ name: "a", schema: { openAPIV3Schema: { type: "bogus" } } });
    expect(await problemsOf({ one: new ContextError("refused"), two: bogus })).toHaveLength(1);
    expect(await problemsOf({ one: bogus, two: bogus })).toHaveLength(1);
  });

  test("that nobody expected are thrown", async () => {
    const { ports } = portsWith({ one: new TypeError("a bug") });
    await expect(gatherVariables(asking("one"), ports, { signal })).rejects.toThrow(TypeError);
  });
});
