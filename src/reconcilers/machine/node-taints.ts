import { annotations, type Machine, nodeTaints } from "#api";
import { compareText } from "#conditions";
import type { Node } from "#workload";

type Taint = NonNullable<NonNullable<Node["spec"]>["taints"]>[number];
type MachineTaint = NonNullable<Machine["spec"]["taints"]>[number];

/** What decides on the taints of a Node, besides its Machine. */
export interface TaintOptions {
  /** Whether the MachineDeployment has left the set of the Machine behind; undefined where nobody can tell. */
  readonly isOutdated: boolean | undefined;
  /** Whether the taints of a Machine go to its Node. */
  readonly propagated: boolean;
}

/** The taints that a Node is to have, and the annotation that remembers which of them its Machine keeps there. */
export interface WantedTaints {
  readonly taints: readonly Taint[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** The Node is in step when this is done, so that the taint of those that are not goes; taints of others stay. */
export function taintsFor(machine: Machine, node: Node, { isOutdated, propagated }: TaintOptions): WantedTaints {
  const { uninitialized, outdatedRevision } = nodeTaints;
  const initialized = (node.spec?.taints ?? []).filter((taint) => idOf(taint) !== idOf(uninitialized));
  const marked =
    isOutdated === undefined
      ? initialized
      : isOutdated
        ? withTaint(initialized, outdatedRevision)
        : initialized.filter((taint) => idOf(taint) !== idOf(outdatedRevision));
  return propagated ? withTaintsOf(machine, node, marked) : { taints: marked, annotations: {} };
}

/** Taints that a Machine always wants are kept and taken away again; those for the beginning are set once. */
function withTaintsOf({ spec }: Machine, node: Node, present: readonly Taint[]): WantedTaints {
  const wanted = spec.taints ?? [];
  const always = wanted.filter(({ propagation }) => propagation === "Always");
  const remembered = node.metadata.annotations?.[annotations.taintsFromMachine];
  const before = new Set((remembered ?? "").split(","));
  const stillWanted = new Set(wanted.map(idOf));
  const kept = present.filter((taint) => !before.has(idOf(taint)) || stillWanted.has(idOf(taint)));
  // Without the annotation the Node was never in step.
  const now = remembered === undefined ? wanted : always;
  return {
    taints: now.reduce<readonly Taint[]>((taints, taint) => withTaint(taints, plain(taint)), kept),
    annotations: { [annotations.taintsFromMachine]: always.map(idOf).toSorted(compareText).join(",") },
  };
}

function withTaint(taints: readonly Taint[], wanted: Taint): readonly Taint[] {
  const at = taints.findIndex((taint) => idOf(taint) === idOf(wanted));
  if (at === -1) return [...taints, { ...wanted }];
  return taints[at]?.value === wanted.value ? taints : taints.with(at, { ...taints[at], ...wanted });
}

function plain({ key, value, effect }: MachineTaint): Taint {
  return { key, effect, ...(value === undefined ? {} : { value }) };
}

/** A Node has a key with an effect at most once. */
function idOf({ key, effect }: { readonly key: string; readonly effect: string }): string {
  return `${key}:${effect}`;
}
