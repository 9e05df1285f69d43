import { Cluster, DevCluster, DevMachine, Machine } from "#api";
import { type AnyKind, type Client, connectionOf, createClient, createHttpTransport, parseKubeconfig } from "#client";
import { fieldAt, type KubeObject } from "#machinery";
import { machinesPerCluster } from "./dev-clusters.ts";

const Secret = { group: "", version: "v1", kind: "Secret" } as const;
const Node = { group: "", version: "v1", kind: "Node" } as const;

/** What is there that should not be, or the other way round: twins, orphans, Nodes without a Machine. */
export async function findOddities(
  client: Client,
  clusters: readonly string[],
  { namespace = "default" }: { readonly namespace?: string } = {},
): Promise<readonly string[]> {
  const all = async (kind: AnyKind) => (await client.listAll(kind, { namespace })).items;
  const [clusterObjects, devClusters, machines, devMachines, secrets] = await Promise.all(
    [Cluster, DevCluster, Machine, DevMachine, Secret].map(all),
  );
  const expected = clusters.length;
  const counts = [
    ["Cluster", clusterObjects?.length, expected],
    ["DevCluster", devClusters?.length, expected],
    ["Machine", machines?.length, expected * machinesPerCluster],
    ["DevMachine", devMachines?.length, expected * machinesPerCluster],
    ["Secret", secrets?.length, expected * 2],
  ] as const;
  const owned = [...(devClusters ?? []), ...(devMachines ?? []), ...(machines ?? []), ...(secrets ?? [])];
  const living = new Set([...(clusterObjects ?? []), ...owned].map(({ metadata }) => metadata.uid));
  return [
    ...counts
      .filter(([, there, wanted]) => there !== wanted)
      .map(([kind, there, wanted]) => `${there} ${kind}s, not ${wanted}`),
    ...owned.filter((object) => !isOwned(object, living)).map((object) => `${nameOf(object)} belongs to nobody`),
    ...(await oddNodes(secrets ?? [], machines ?? [])),
  ];
}

function isOwned({ metadata }: KubeObject, living: ReadonlySet<string | undefined>): boolean {
  const owners = metadata.ownerReferences ?? [];
  return owners.length === 1 && owners.every(({ uid }) => living.has(uid));
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name ?? ""}`;
}

/** Every Machine has one Node in its cluster, and every Node a Machine. */
async function oddNodes(secrets: readonly KubeObject[], machines: readonly KubeObject[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const secret of secrets) {
    const cluster = /^(.*)-kubeconfig$/.exec(secret.metadata.name ?? "")?.[1];
    if (cluster === undefined) continue;
    const wanted = machines
      .filter((machine) => fieldAt(machine, "spec", "clusterName") === cluster)
      .map(({ metadata }) => metadata.name ?? "");
    const nodes = await nodesOf(secret);
    if (nodes.toSorted().join() !== wanted.toSorted().join())
      found.push(`cluster ${cluster} has the Nodes ${nodes.join(", ")}`);
  }
  return found;
}

async function nodesOf(secret: KubeObject): Promise<readonly string[]> {
  const value = fieldAt(secret, "data", "value");
  const kubeconfig = Buffer.from(typeof value === "string" ? value : "", "base64").toString("utf8");
  const transport = createHttpTransport(connectionOf(parseKubeconfig(kubeconfig, nameOf(secret))), {
    userAgent: "chaos",
  });
  try {
    const client = createClient(transport, { fieldOwner: "chaos" });
    return (await client.list(Node)).items.map(({ metadata }) => metadata.name ?? "");
  } finally {
    transport.close();
  }
}
