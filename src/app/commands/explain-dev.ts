import { DevCluster, DevMachine, labels } from "#api";
import {
  type JudgedObject,
  judgeByTables,
  judgeOf,
  type Judging,
  type KindJudge,
  NothingIsChangedError,
  type Situation,
} from "#cli";
import type { DevClusterFacts, DevMachineFacts, DevPorts } from "#providers";

/** Judge the kinds of the development provider, which is loaded with the first object that is one of its. */
export const devJudges: readonly KindJudge[] = [
  judgeOf(DevCluster, judgeDevCluster),
  judgeOf(DevMachine, judgeDevMachine, { Ready: ["VMProvisioned", "NodeProvisioned"] }),
];

/** Nobody who looks needs a server. */
const ports: DevPorts = {
  servers: {
    host: "",
    find: () => undefined,
    open: refuse,
    close: refuse,
    [Symbol.asyncDispose]: refuse,
  },
};

async function judgeDevCluster(object: DevCluster, judging: Judging): Promise<JudgedObject> {
  const { breakAnnotations, devCluster, readDevClusterFacts } = await import("#providers");
  const isStopped = object.metadata.annotations?.[breakAnnotations.apiServer] === "stopped";
  const learned: Partial<DevClusterFacts> = isStopped ? { server: { kind: "stopped" } } : {};
  return await judgeByTables(devCluster, object, { ...judging, ports, learned, read: readDevClusterFacts });
}

async function judgeDevMachine(object: DevMachine, judging: Judging): Promise<JudgedObject> {
  const { devMachine, readDevMachineFacts } = await import("#providers");
  const learned = await nodeFacts(object, judging.situation);
  return await judgeByTables(devMachine, object, { ...judging, ports, learned, read: readDevMachineFacts });
}

const Node = { group: "", version: "v1", kind: "Node" } as const;

/** A Node that can be seen has joined. */
async function nodeFacts(
  { metadata }: DevMachine,
  { nodes, signal }: Situation,
): Promise<Readonly<Partial<DevMachineFacts>>> {
  const { name = "", namespace = "", labels: its = {} } = metadata;
  const cluster = its[labels.clusterName];
  if (cluster === undefined) return {};
  const sight = await nodes({ namespace, name: cluster });
  const node = sight.kind === "seen" ? await sight.reader.find(Node, { name }, { signal }) : undefined;
  return node === undefined ? {} : { node: { kind: "up" } };
}

function refuse(): never {
  throw new NothingIsChangedError("explain starts and stops no API server");
}
