import type { ClusterClass, ClusterClassVariable, DevClusterTemplate } from "#api";
import { createExtension, DiscoverVariables, type ExtensionServer } from "#extensions";
import { createLogger, systemClock } from "#base";

/** Who defines the variables of a large class: itself, or the extensions of its patches. */
export type Source = "inline" | "discovered";

/** As many as a class may have of one, and a good part of what it may have of the other. */
export const variableCount = 1_000;
export const patchCount = 200;

/** Where the class and its template live. */
export const key = { namespace: "default", name: "large" } as const;

/** A template for the class to name. */
export const template: DevClusterTemplate = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
  kind: "DevClusterTemplate",
  metadata: key,
  spec: { template: { spec: { backend: { inMemory: {} } } } },
};

/** A class with 1,000 variables and 200 patches. */
export function largeClass(source: Source): ClusterClass {
  const { apiVersion, kind } = template;
  const templated = { templateRef: { apiVersion, kind, name: key.name } };
  const definition = {
    selector: { apiVersion, kind, matchResources: { infrastructureCluster: true } },
    jsonPatches: [{ op: "add", path: "/spec/template/spec/a", valueFrom: { variable: "v0" } }],
  } as const;
  const isInline = source === "inline";
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "ClusterClass",
    metadata: key,
    spec: {
      infrastructure: templated,
      controlPlane: templated,
      ...(isInline ? { variables: numbers(variableCount).map(variable) } : {}),
      patches: numbers(patchCount).map((index) => ({
        name: `patch-${index}`,
        ...(isInline
          ? { definitions: [definition] }
          : {
              external: {
                generatePatchesExtension: "patches.ext",
                discoverVariablesExtension: `${handlerName(index)}.ext`,
              },
            }),
      })),
    },
  };
}

/** What the extension of a patch defines. */
export function answerOf(patch: number): readonly ClusterClassVariable[] {
  const perPatch = variableCount / patchCount;
  return numbers(perPatch).map((each) => variable(patch * perPatch + each));
}

/** Serves an extension with a handler for each patch. */
export async function serveAnswers(): Promise<ExtensionServer> {
  const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr });
  const extension = createExtension({ log });
  for (const patch of numbers(patchCount)) {
    const variables = answerOf(patch);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a variable of a class is one of an answer, too
    extension.on(DiscoverVariables, handlerName(patch), () => ({ variables: variables as never }));
  }
  return await extension.listen({ host: "127.0.0.1" });
}

/** The name of a patch's handler within its extension. */
export function handlerName(patch: number): string {
  return `h${patch}`;
}

export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
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
