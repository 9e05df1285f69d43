import type { KubeObject } from "#machinery";

/** How the definition of a provider's kind is made. */
export interface ProviderKindOptions {
  /** Labels of the definition; those of contract v1beta2 unless told otherwise. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
}

/** The group of the kinds that a provider in tests has. */
export const providerGroup = "infra.example.com";

/** The definition of a kind of a provider that takes any fields. */
export function aProviderKind(kind: string, { labels, required = [] }: ProviderKindOptions = {}): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: "object", required, "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${providerGroup}`, labels: labels ?? { "cluster.x-k8s.io/v1beta2": "v1" } },
    spec: {
      group: providerGroup,
      scope: "Namespaced",
      names: { kind, plural },
      versions: [{ name: "v1", served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}
