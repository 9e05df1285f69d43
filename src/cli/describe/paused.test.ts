import { expect, test } from "vitest";
import { printYamlDocuments } from "#machinery";
import { readDump } from "../explain/dump.ts";
import { dumpSituation } from "../explain/dump-situation.ts";
import { explainTo } from "../explain/explain.ts";
import { nothingKnown } from "../explain/known-facts.ts";
import { defaultGracePeriods } from "../explain/situation.ts";
import { noPaint } from "../paint.ts";
import { describeTo } from "./describe.ts";

const apiVersion = "cluster.x-k8s.io/v1beta2";
const metadata = { namespace: "default", labels: { "cluster.x-k8s.io/cluster-name": "c" } };
const dump = readDump([
  {
    path: "dump.yaml",
    text: printYamlDocuments([
      { apiVersion, kind: "Cluster", metadata: { ...metadata, name: "c" }, spec: {} },
      {
        apiVersion,
        kind: "Machine",
        metadata: { ...metadata, name: "m", annotations: { "cluster.x-k8s.io/paused": "" } },
        spec: {
          clusterName: "c",
          bootstrap: { dataSecretName: "data" },
          infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: "m" },
        },
      },
    ]),
  },
]);
const situation = dumpSituation(dump, {
  signal: new AbortController().signal,
  spelling: "documented",
  gracePeriods: defaultGracePeriods,
  facts: nothingKnown,
});
const printing = { output: "text", paint: noPaint, showConditions: [], explain: "capstan explain" } as const;

test("that nobody works on a Machine is told before all that follows from it", async () => {
  let text = "";
  const write = (part: string): void => void (text += part);
  await describeTo({ name: "c", namespace: "default", grouping: true }, situation, { ...printing, write });
  expect(text).toMatch(/Machine\/m .* paused: nobody works on it$/m);

  text = "";
  await explainTo({ kind: "machine", name: "m", namespace: "default" }, situation, { ...printing, write });
  const told =
    "Machine default/m is paused, and nobody works on it: Machine has the cluster.x-k8s.io/paused annotation";
  expect(text.split("\n")[0]).toBe(told);
  expect(text).toContain(`\n\n${told}\nin short: Available of Machine default/m is False, because\n`);
});
