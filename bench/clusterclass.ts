import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterClass, type ClusterClassVariable, DevClusterTemplate } from "#api";
import { createLogger, systemClock } from "#base";
import { createClient } from "#client";
import { apiReader, runPass } from "#control";
import type { ExtensionClient } from "#extensions";
import { clusterClass } from "#reconcilers/clusterclass";
import { openEmbeddedServer } from "#testkit";
import { root } from "../tools/root.ts";

const patches = 200;
const variables = 1_000;
const passes = 10;
const files = 50;

/** How much a large class costs, and how soon a folder of classes is checked. */
export async function bench(print: (line: object) => void): Promise<void> {
  for (const [name, source] of [
    ["1,000 inline variables, 200 patches", "inline"],
    ["1,000 discovered variables, 200 extensions", "discovered"],
  ] as const) {
    const { fresh, kept } = await passCosts(source);
    const report = (what: string, value = 0): void =>
      print({ bench: "clusterclass", name: `${name}, ${what}`, value: Math.round(value), unit: "ms CPU" });
    report("first pass of the process", fresh[0]);
    report("new answers, best of ten", Math.min(...fresh));
    report("answers from the cache, best of ten", Math.min(...kept));
  }
  print({ bench: "clusterclass", name: "lint 50 classes, start-up included", value: lintTime(), unit: "ms" });
}

/** What passes over one class cost, server in the process included. */
async function passCosts(source: "inline" | "discovered") {
  await using server = await openEmbeddedServer({ kinds: [ClusterClass, DevClusterTemplate] });
  const client = createClient(server.transport, { fieldOwner: "bench" });
  const key = { namespace: "default", name: "large" };
  await client.create(DevClusterTemplate, { ...template, metadata: key });
  await client.create(ClusterClass, { ...largeClass(source), metadata: key });
  const tools = { ...quietTools, client, reader: apiReader(client) };
  const pass = async (extensions: Pick<ExtensionClient, "call">): Promise<number> => {
    const before = process.cpuUsage();
    const { next } = await runPass(clusterClass, key, { ...tools, ports: { runtimeSDK: true, extensions } });
    const { user, system } = process.cpuUsage(before);
    if (next.kind === "retry") throw next.error;
    return (user + system) / 1000;
  };
  // The first pass only reports that the class is not paused.
  await pass(answering());
  const fresh: number[] = [];
  for (let index = 0; index < passes; index += 1) fresh.push(await pass(answering()));
  const kept: number[] = [];
  const extensions = answering();
  for (let index = 0; index < passes; index += 1) kept.push(await pass(extensions));
  return { fresh, kept };
}

const template = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
  kind: "DevClusterTemplate",
  spec: { template: { spec: { backend: { inMemory: {} } } } },
} as const;

function largeClass(source: "inline" | "discovered"): Omit<ClusterClass, "metadata"> {
  const { apiVersion, kind } = template;
  const templated = { templateRef: { apiVersion, kind, name: "large" } };
  const definition = {
    selector: { apiVersion, kind, matchResources: { infrastructureCluster: true } },
    jsonPatches: [{ op: "add", path: "/spec/template/spec/a", valueFrom: { variable: "v0" } }],
  } as const;
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "ClusterClass",
    spec: {
      infrastructure: templated,
      controlPlane: templated,
      ...(source === "inline" ? { variables: numbers(variables).map(variable) } : {}),
      patches: numbers(patches).map((index) => ({
        name: `patch-${index}`,
        ...(source === "inline"
          ? { definitions: [definition] }
          : { external: { discoverVariablesExtension: `h${index}.ext` } }),
      })),
    },
  };
}

/** An object with a few members, a choice, a default and a rule, as variables in use have them. */
function variable(index: number): ClusterClassVariable {
  return {
    name: `v${index}`,
    required: index % 2 === 0,
    schema: {
      openAPIV3Schema: {
        type: "object",
        description: `Variable ${index}.`,
        properties: {
          region: { type: "string", enum: ["north", "south"], default: "north" },
          port: { type: "integer", minimum: 1, maximum: 65_535, default: 8000 + index },
          url: { type: "string", format: "uri", maxLength: 100, pattern: "^https?://" },
          labels: { type: "object", additionalProperties: { type: "string", maxLength: 63 }, maxProperties: 10 },
        },
        "x-kubernetes-validations": [{ rule: "!has(self.url) || self.port > 1023", message: "ports below are taken" }],
      },
    },
  };
}

/** Answers at once, and every question of a kind with the same answer, as the cache of a client does. */
function answering(): Pick<ExtensionClient, "call"> {
  const perPatch = variables / patches;
  const answers = new Map(
    numbers(patches).map((index) => {
      const own = numbers(perPatch).map((each) => variable(index * perPatch + each));
      return [`h${index}.ext`, { status: "Success", message: "", variables: own }];
    }),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only variables are asked for
  return { call: (_hook, handler) => Promise.resolve(answers.get(handler) as never) };
}

const quietTools = {
  clock: systemClock,
  log: createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr }),
  eventsAbout: () => ({ record: () => {} }),
  watch: () => Promise.resolve(),
  reconcileId: "bench",
  signal: new AbortController().signal,
  spelling: "documented",
  random: () => 0.5,
} as const;

/** The best of three runs of the program over a folder. */
function lintTime(): number {
  const folder = mkdtempSync(join(tmpdir(), "capstan-bench-"));
  try {
    const text = readFileSync(join(root, "examples/cluster-class.yaml"));
    for (const index of numbers(files)) writeFileSync(join(folder, `class-${index}.yaml`), text);
    const times = numbers(3).map(() => {
      const start = performance.now();
      execFileSync(process.execPath, [join(root, "bin/capstan"), "lint", "-f", folder]);
      return performance.now() - start;
    });
    return Math.round(Math.min(...times));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
