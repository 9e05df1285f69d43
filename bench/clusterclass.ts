import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ClusterClass, DevClusterTemplate, ExtensionConfig } from "#api";
import type { Client } from "#client";
import type { ExtensionServer } from "#extensions";
import type { Kind, KubeObject } from "#machinery";
import { largeClass, numbers, serveAnswers, type Source, template } from "../tools/bench/large-class.ts";
import { connectTo, startUp } from "../tools/plane/up-process.ts";
import { root } from "../tools/root.ts";

const files = 50;
const forms = {
  inline: "1,000 inline variables, 200 patches",
  discovered: "1,000 discovered variables, 200 extensions",
} as const;

/** How much a large class costs, and how soon a folder of classes is checked. */
export async function bench(print: (line: object) => void): Promise<void> {
  await using extension = await serveAnswers();
  const report = (name: string, value: number): void =>
    print({ bench: "clusterclass", name, value: Math.round(value), unit: "ms CPU" });
  for (const [name, parameters] of [
    [forms.inline, ["inline"]],
    [forms.discovered, ["discovered"]],
    [`${forms.discovered} over HTTPS`, ["discovered", extension.url, extension.caBundle]],
  ] as const) {
    const { fresh, kept } = await passCosts(parameters);
    report(`${name}: first pass of the process`, fresh[0] ?? 0);
    report(`${name}: new answers, median`, median(fresh));
    report(`${name}: new answers, best`, Math.min(...fresh));
    report(`${name}: answers from the cache, median`, median(kept));
    report(`${name}: answers from the cache, best`, Math.min(...kept));
  }
  for (const source of ["inline", "discovered"] as const) {
    const cost = await planeCost(source, extension);
    report(`${forms[source]}: capstan up, from the creation of the class until VariablesReady`, cost);
  }
  print({ bench: "clusterclass", name: "lint 50 classes, start-up included", value: lintTime(), unit: "ms" });
}

interface Costs {
  readonly fresh: readonly number[];
  readonly kept: readonly number[];
}

/** What passes over one class cost in a process of their own, server in the process included. */
async function passCosts(parameters: readonly string[]): Promise<Costs> {
  const program = join(import.meta.dirname, "../tools/bench/class-passes.js");
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...parameters]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program is ours
  return JSON.parse(stdout) as Costs;
}

/** What a whole plane spends on a class: admission, all controllers, and an extension that answers over HTTPS. */
async function planeCost(source: Source, extension: ExtensionServer): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), "capstan-bench-"));
  try {
    await using up = startUp({ data });
    await up.ready;
    using connection = await connectTo(up.kubeconfig);
    const { client } = connection;
    await client.create(DevClusterTemplate, template);
    await client.create(ExtensionConfig, {
      apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
      kind: "ExtensionConfig",
      metadata: { name: "ext" },
      spec: { clientConfig: { url: extension.url, caBundle: extension.caBundle }, namespaceSelector: {} },
    });
    await untilSeen(client, ExtensionConfig, ({ status }) => status?.handlers !== undefined);
    const used = up.cpuSeconds();
    const done = untilSeen(client, ClusterClass, hasVariables);
    await client.create(ClusterClass, largeClass(source));
    await done;
    return (up.cpuSeconds() - used) * 1000;
  } finally {
    rmSync(data, { recursive: true });
  }
}

function hasVariables({ status }: ClusterClass): boolean {
  return (status?.conditions ?? []).some((one) => one.type === "VariablesReady" && one.status === "True");
}

/** Resolves when an object of a kind is such. */
async function untilSeen<Obj extends KubeObject>(
  client: Client,
  kind: Kind<Obj>,
  isSuch: (object: Obj) => boolean,
): Promise<void> {
  const ending = new AbortController();
  for await (const event of client.watch(kind, { signal: ending.signal })) {
    const objects = event.kind === "listed" ? event.objects : [event.object];
    if (objects.some(isSuch)) ending.abort();
  }
}

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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
