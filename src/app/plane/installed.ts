import type { AnyKind, Client } from "#client";
import type { KubeObject } from "#machinery";

/** What became of something that was put into a server. */
export interface Installed {
  readonly name: string;
  readonly change: "created" | "changed" | "unchanged";
}

/** Puts an object into a server, or brings the one that is there up to date. */
export async function install(
  client: Client,
  kind: AnyKind,
  object: KubeObject,
  calling: { readonly signal?: AbortSignal } = {},
): Promise<Installed> {
  const { name = "" } = object.metadata;
  const before = await client.find(kind, { name }, calling);
  const after = await client.apply(kind, object, { force: true, ...calling });
  return { name, change: changeBetween(before, after) };
}

function changeBetween(before: KubeObject | undefined, after: KubeObject): Installed["change"] {
  if (before === undefined) return "created";
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? "unchanged" : "changed";
}
