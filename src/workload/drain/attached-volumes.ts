import { annotations, type Machine } from "#api";
import { type Timestamp, wrap } from "#base";
import type { Client } from "#client";
import { compareText } from "#conditions";
import { namespacedName } from "#machinery";
import { Node, PersistentVolume, VolumeAttachment } from "../core-kinds.ts";
import { DrainError } from "../errors.ts";
import { listed } from "./drain-message.ts";
import { isTimeUp, isUnreachable } from "./drain-node.ts";
import type { DrainedMachine } from "./drain-rules.ts";
import { type DrainReads, podsOnNode } from "./pods-on-node.ts";

/** Volumes that are still attached to a Node, each list in order. */
export interface AttachedVolumes {
  /** `<namespace>/<name>` of those that somebody has claimed. */
  readonly claims: readonly string[];
  /** Names of PersistentVolumes that no PersistentVolumeClaim belongs to. */
  readonly unclaimed: readonly string[];
  /** What the Node says is attached and no PersistentVolume knows of. */
  readonly unknownToVolumes: readonly string[];
  /** PersistentVolumes that a VolumeAttachment names and that do not exist. */
  readonly missing: readonly string[];
}

// As many as Cluster API asks for at once.
const pageSize = 100;
const mostNames = 5;

/** The volumes of a Node that have to be detached before it goes; undefined where there is nothing to wait for. */
export async function attachedVolumes(
  nodeName: string,
  drained: DrainedMachine,
  reads: DrainReads,
): Promise<AttachedVolumes | undefined> {
  const { client, signal } = reads;
  const calling = signal === undefined ? {} : { signal };
  const node = await client.find(Node, { name: nodeName }, calling);
  // What is attached to a Node that does not answer cannot be detached, and would be waited for in vain.
  if (node === undefined || isUnreachable(node)) return undefined;
  const onNode = new Set((node.status?.volumesAttached ?? []).map(({ name }) => name));
  const named = await namesOfAttachments(nodeName, client, calling);
  if (onNode.size === 0 && named.size === 0) return undefined;
  const ignored = await claimsOfSkippedPods(nodeName, drained, reads);
  const volumes = await waitedFor({ onNode, named, ignored }, client, calling);
  return Object.values(volumes).every((names: readonly string[]) => names.length === 0) ? undefined : volumes;
}

/** What a Node waits for, for the condition Deleting. */
export function volumesMessage(volumes: AttachedVolumes, startedAt: Timestamp): string {
  const line = (names: readonly string[], text: string): readonly string[] =>
    names.length === 0 ? [] : [`* ${text}: ${listed(names, mostNames)}`];
  return [
    `Waiting for Node volumes to be detached (started at ${startedAt})`,
    ...line(volumes.claims, "PersistentVolumeClaims"),
    ...line(volumes.unclaimed, "PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim"),
    ...line(volumes.unknownToVolumes, "Node with .status.volumesAttached entries not matching a PersistentVolume"),
    ...line(volumes.missing, "VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume"),
  ].join("\n");
}

/** Why the volumes of a Machine's Node are not waited for; undefined where they are. */
export function whyNotAwaited(machine: Pick<Machine, "metadata" | "spec" | "status">, now: Timestamp) {
  if (machine.metadata.annotations?.[annotations.excludeWaitForNodeVolumeDetach] !== undefined) return "excluded";
  const { nodeVolumeDetachTimeoutSeconds } = machine.spec.deletion ?? {};
  const startedAt = machine.status?.deletion?.waitForNodeVolumeDetachStartTime;
  return isTimeUp({ startedAt, timeoutSeconds: nodeVolumeDetachTimeoutSeconds, now }) ? "timed-out" : undefined;
}

type Calling = { readonly signal?: AbortSignal };

async function namesOfAttachments(nodeName: string, client: Client, calling: Calling): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  try {
    for await (const { items } of client.pages(VolumeAttachment, { limit: pageSize, ...calling })) {
      for (const { metadata, spec, status } of items) {
        if (status?.attached !== true || spec?.nodeName !== nodeName) continue;
        const name = spec.source?.persistentVolumeName;
        if (name === undefined)
          throw new DrainError(
            `spec.source.persistentVolumeName for VolumeAttachment ${metadata.name ?? ""} is not set`,
          );
        names.add(name);
      }
    }
  } catch (error) {
    throw error instanceof DrainError ? error : wrap(error, "failed to list VolumeAttachments");
  }
  return names;
}

/** Pods that stay on the Node keep their volumes, so that nobody waits for those. */
async function claimsOfSkippedPods(
  nodeName: string,
  drained: DrainedMachine,
  reads: DrainReads,
): Promise<ReadonlySet<string>> {
  const pods = await podsOnNode({ ...drained, nodeName, unreachable: false }, reads).catch((error: unknown) => {
    throw wrap(error, "failed to find PersistentVolumeClaims from Pods ignored during drain");
  });
  const claims = pods
    .filter(({ decision }) => decision.kind === "skip")
    .flatMap(({ pod }) =>
      (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
        claim === undefined ? [] : [namespacedName({ namespace: pod.metadata.namespace ?? "", name: claim.claimName })],
      ),
    );
  return new Set(claims);
}

interface Attached {
  readonly onNode: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** Claims of Pods that stay. */
  readonly ignored: ReadonlySet<string>;
}

async function waitedFor(
  { onNode, named, ignored }: Attached,
  client: Client,
  calling: Calling,
): Promise<AttachedVolumes> {
  const claims = new Set<string>();
  const unclaimed: string[] = [];
  const known = new Set<string>();
  for await (const volume of volumesOf(client, calling)) {
    const { name = "" } = volume.metadata;
    const onNodeAs = nodeNameOf(volume);
    const isOnNode = onNodeAs !== undefined && onNode.has(onNodeAs);
    if (!isOnNode && !named.has(name)) continue;
    known.add(name);
    if (onNodeAs !== undefined) known.add(onNodeAs);
    const { kind, namespace = "", name: claim = "" } = volume.spec?.claimRef ?? {};
    if (kind === "PersistentVolumeClaim") claims.add(namespacedName({ namespace, name: claim }));
    else unclaimed.push(name);
  }
  const inOrder = (names: Iterable<string>): readonly string[] => [...names].toSorted(compareText);
  const unknown = (names: ReadonlySet<string>): readonly string[] =>
    inOrder([...names].filter((name) => !known.has(name)));
  return {
    claims: inOrder([...claims].filter((claim) => !ignored.has(claim))),
    unclaimed: inOrder(unclaimed),
    unknownToVolumes: unknown(onNode),
    missing: unknown(named),
  };
}

async function* volumesOf(client: Client, calling: Calling): AsyncGenerator<PersistentVolume> {
  try {
    for await (const { items } of client.pages(PersistentVolume, { limit: pageSize, ...calling })) yield* items;
  } catch (error) {
    throw wrap(error, "failed to list PersistentVolumes");
  }
}

/** What a Node calls a volume that is attached to it. */
function nodeNameOf({ spec }: PersistentVolume): string | undefined {
  return spec?.csi === undefined ? undefined : `kubernetes.io/csi/${spec.csi.driver}^${spec.csi.volumeHandle}`;
}
