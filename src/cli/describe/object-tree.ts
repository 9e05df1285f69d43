import { Cluster, labels, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { compareText } from "#conditions";
import { type ContractVersionedObjectReference, readProvider } from "#contract";
import { controllerOf, type KubeObject } from "#machinery";
import { type ConditionLine, findObject, headOf, linesOf } from "../explain/explain-object.ts";
import { rootsOf } from "../explain/causes.ts";
import { conditionTree, createJudge, type Judge } from "../explain/condition-tree.ts";
import { saidOf } from "../explain/print-condition-tree.ts";
import { type Unreachable, unreachable } from "../explain/unreachable.ts";
import type { Situation } from "../explain/situation.ts";
import { oneLine } from "./one-line.ts";

/** An object of a Cluster, and what stands below it. */
export interface ObjectTree {
  /** What the object is to the one above: `ClusterInfrastructure`, `ControlPlane`, `Workers`. */
  readonly role?: string;
  /** Absent where only a role is shown. */
  readonly object?: { readonly kind: string; readonly name: string };
  /** Names of objects that say the same and are shown as one. */
  readonly group?: readonly string[];
  /** The condition that sums up the others. */
  readonly head?: ConditionLine;
  /** What is wrong in the end, where the condition that sums up is no good news. */
  readonly cause?: string;
  /** Of a Cluster whose API server does not answer while its Machines still say what was last known. */
  readonly unreachable?: Unreachable;
  readonly conditions: readonly ConditionLine[];
  readonly children: readonly ObjectTree[];
}

/** What is shown. */
export interface DescribeOptions {
  readonly name: string;
  readonly namespace: string;
  /** Whether Machines that say the same are shown as one. */
  readonly grouping: boolean;
}

/** Everything that makes up a Cluster, as a tree. */
export async function describeCluster(options: DescribeOptions, situation: Situation): Promise<ObjectTree> {
  const { name, namespace, grouping } = options;
  const judge = createJudge(situation);
  const cluster = await findObject({ kind: "cluster", name, namespace }, situation);
  if (!Cluster.is(cluster)) throw new TypeError("a Cluster was asked for");
  const listed = { namespace, labelSelector: `${labels.clusterName}=${name}`, signal: situation.signal };
  const { reader } = situation;
  const [deployments, sets, pools, machines] = await Promise.all([
    reader.list(MachineDeployment, listed),
    reader.list(MachineSet, listed),
    reader.list(MachinePool, listed),
    reader.list(Machine, listed),
  ]);
  const away = await unreachable(cluster, judge);
  const below: Below = {
    judge,
    machines,
    sets,
    grouping,
    isAway: away !== undefined && away.unknownSince === undefined,
  };
  const { spec } = cluster;
  const grouped = [...deployments, ...sets];
  const ownMachines = machines.filter((machine) => !grouped.some((group) => isIn(machine, group)));
  const isControlPlane = ({ metadata }: Machine) => labels.controlPlane in (metadata.labels ?? {});
  const controlPlane = await providerTree("ControlPlane", cluster, spec.controlPlaneRef, judge);
  const controlled = await machineTrees(machines.filter(isControlPlane), below);
  const workers = [
    ...(await Promise.all([...byName(deployments)].map((object) => groupTree(object, below)))),
    ...(await Promise.all(byName(pools).map((object) => treeOf(object, judge)))),
    ...(await Promise.all(
      byName(sets)
        .filter((set) => ownerOf(set)?.kind !== "MachineDeployment")
        .map((set) => groupTree(set, below)),
    )),
    ...(await machineTrees(
      ownMachines.filter((machine) => !isControlPlane(machine)),
      below,
    )),
  ];
  return {
    ...(await treeOf(cluster, judge)),
    ...(away === undefined ? {} : { unreachable: away }),
    children: [
      ...(await providerTree("ClusterInfrastructure", cluster, spec.infrastructureRef, judge)),
      ...(controlPlane.length > 0
        ? controlPlane.map((tree) => ({ ...tree, children: controlled }))
        : roleOf("ControlPlane", controlled)),
      ...roleOf("Workers", workers),
    ],
  };
}

interface Below {
  readonly judge: Judge;
  readonly machines: readonly Machine[];
  readonly sets: readonly MachineSet[];
  readonly grouping: boolean;
  /** Whether the workload cluster does not answer, so that Machines say what was last known. */
  readonly isAway: boolean;
}

function roleOf(role: string, children: readonly ObjectTree[]): readonly ObjectTree[] {
  return children.length === 0 ? [] : [{ role, conditions: [], children }];
}

/** A MachineDeployment or MachineSet, and the Machines below it. */
async function groupTree(object: KubeObject, below: Below): Promise<ObjectTree> {
  const { machines, sets, judge } = below;
  const { name } = object.metadata;
  const own = machines.filter((machine) => isIn(machine, object));
  const inSets = sets.filter((set) => object.kind === "MachineDeployment" && ownerOf(set)?.name === name);
  const setTrees = inSets.length > 1 ? await Promise.all(inSets.map((set) => treeOf(set, judge))) : [];
  return { ...(await treeOf(object, judge)), children: [...setTrees, ...(await machineTrees(own, below))] };
}

/** Whether a Machine is of a MachineDeployment or a MachineSet, by its labels. */
function isIn({ metadata }: Machine, { kind, metadata: { name } }: KubeObject): boolean {
  const { [labels.deploymentName]: deployment, [labels.setName]: set } = metadata.labels ?? {};
  return (kind === "MachineDeployment" ? deployment : set) === name;
}

async function machineTrees(machines: readonly Machine[], below: Below): Promise<readonly ObjectTree[]> {
  const { judge, grouping, isAway } = below;
  const trees = await Promise.all(
    byName(machines).map(async (machine) => {
      const { bootstrap, infrastructureRef } = machine.spec;
      return {
        ...(isAway ? { cause: "as last known: the cluster does not answer" } : {}),
        ...(await treeOf(machine, judge)),
        children: [
          ...(await providerTree("BootstrapConfig", machine, bootstrap.configRef, judge)),
          ...(await providerTree("MachineInfrastructure", machine, infrastructureRef, judge)),
        ],
      };
    }),
  );
  return grouping ? groupedTrees(trees) : trees;
}

/** Machines that say the same become one line; one alone stays as it is. */
function groupedTrees(trees: readonly ObjectTree[]): readonly ObjectTree[] {
  const groups = new Map<string, ObjectTree[]>();
  for (const tree of trees) {
    const { status = "", reason = "", message = "", row = "" } = tree.head ?? {};
    const key = [status, reason, message, row].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), tree]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first?.object === undefined || group.length === 1) return group;
    return [{ ...first, group: group.map(({ object }) => object?.name ?? ""), children: [] }];
  });
}

async function providerTree(
  role: string,
  { metadata }: KubeObject,
  ref: Partial<ContractVersionedObjectReference> | undefined,
  judge: Judge,
): Promise<readonly ObjectTree[]> {
  const { reader, signal } = judge.situation;
  const read = await readProvider(reader, ref, { namespace: metadata.namespace ?? "", signal });
  if (read === undefined) return [];
  if (read.kind === "found") return [{ role, ...(await treeOf(read.object, judge)) }];
  const [status, message] = read.kind === "absent" ? ["Missing", "it does not exist"] : ["Unknown", read.error];
  const head = { type: "", status, reason: "", message, negative: false, undecided: false };
  return [{ role, object: { kind: ref?.kind ?? "", name: ref?.name ?? "" }, head, conditions: [], children: [] }];
}

async function treeOf(object: KubeObject, judge: Judge): Promise<ObjectTree> {
  const judged = await judge.judge(object);
  const conditions = linesOf(judged);
  const head =
    conditions.find(({ type }) => type === shownFirst(object.kind)) ?? conditions.find(({ type }) => type === "Ready");
  const paused = judged.paused ? "paused: nobody works on it" : undefined;
  const cause = paused ?? (head === undefined ? undefined : await causeOf(object, head, judge));
  return {
    object: { kind: object.kind, name: object.metadata.name ?? "" },
    ...(head === undefined ? {} : { head }),
    ...(cause === undefined ? {} : { cause }),
    conditions,
    children: [],
  };
}

/** What a condition comes from in the end: the first cause, whose it is, and how many others there are. */
async function causeOf(
  object: KubeObject,
  { type, negative }: ConditionLine,
  judge: Judge,
): Promise<string | undefined> {
  const tree = await conditionTree({ object, type, negative }, judge);
  const [first, ...others] = tree.good ? [] : rootsOf(tree);
  if (first === undefined || first === tree) return undefined;
  const isOwn = first.kind === tree.kind && first.name === tree.name;
  const owner = isOwn ? "" : `${first.kind}/${first.name.split("/").at(-1) ?? ""} `;
  const said = oneLine(saidOf(first).join("\n"));
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${owner}${first.type}: ${said === "" ? (first.condition?.reason ?? "not reported") : said}${more}`;
}

/** Of a Machine Ready tells more than Available does. */
function shownFirst(kind: string): string {
  return kind === "Machine" ? "Ready" : headOf(kind);
}

function ownerOf(object: KubeObject) {
  return controllerOf(object);
}

function byName<Obj extends KubeObject>(objects: readonly Obj[]): readonly Obj[] {
  return objects.toSorted((a, b) => compareText(a.metadata.name ?? "", b.metadata.name ?? ""));
}
