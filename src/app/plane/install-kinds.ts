import { kinds } from "#api";
import type { Client } from "#client";
import { fieldAt, type KubeObject } from "#machinery";
import { install, type Installed } from "./installed.ts";

const CustomResourceDefinition = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
} as const;

/** Makes a server serve the Cluster API kinds, in the versions of this program; what is there already is brought up to date. */
export async function installKinds(
  client: Client,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly Installed[]> {
  const installed: Installed[] = [];
  const calling = signal === undefined ? {} : { signal };
  for (const kind of kinds) installed.push(await install(client, CustomResourceDefinition, kind.crd(), calling));
  await established(
    client,
    installed.map(({ name }) => name),
    calling,
  );
  // The client asked what is served before these were there, and does not ask again so soon by itself.
  client.mapper.forget();
  return installed;
}

/** A kind is served a moment after its definition is there. */
async function established(
  client: Client,
  names: readonly string[],
  calling: { readonly signal?: AbortSignal },
): Promise<void> {
  const missing = new Set(names);
  const ending = new AbortController();
  const signal = calling.signal === undefined ? ending.signal : AbortSignal.any([ending.signal, calling.signal]);
  for await (const event of client.watch(CustomResourceDefinition, { signal })) {
    const objects = event.kind === "listed" ? event.objects : [event.object];
    for (const object of objects) if (isEstablished(object)) missing.delete(object.metadata.name ?? "");
    if (missing.size === 0) {
      ending.abort();
      return;
    }
  }
}

function isEstablished(definition: KubeObject): boolean {
  const conditions = fieldAt(definition, "status", "conditions");
  const isTrue = (one: unknown) => fieldAt(one, "type") === "Established" && fieldAt(one, "status") === "True";
  return Array.isArray(conditions) && conditions.some(isTrue);
}
