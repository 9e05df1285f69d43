import { MachineDrainRule, type Machine } from "#api";
import { aggregate, quote, wrap } from "#base";
import { compareText } from "#conditions";
import type { Reader, ReadOptions } from "#control";
import {
  compileLabelSelector,
  everything,
  InvalidLabelSelectorError,
  type KubeObject,
  type LabelSelector,
  type Labels,
  type Selector,
} from "#machinery";

/** A MachineDrainRule that concerns a Machine, ready to be asked about Pods. */
export interface DrainRule {
  readonly name: string;
  readonly behavior: MachineDrainRule["spec"]["drain"]["behavior"];
  readonly order: number;
  appliesTo(pod: KubeObject, namespaceLabels: Labels | undefined): boolean;
}

/** Whose Node is drained. */
export interface DrainedMachine {
  readonly machine: Pick<Machine, "metadata">;
  readonly cluster: { readonly metadata: KubeObject["metadata"] };
}

/** The rules for a Machine, in the order of their names: the first that applies to a Pod decides. */
export async function drainRulesFor(
  { machine, cluster }: DrainedMachine,
  management: Reader,
  options: ReadOptions = {},
): Promise<readonly DrainRule[]> {
  const { namespace = "" } = machine.metadata;
  const rules = await management.list(MachineDrainRule, { namespace, ...options }).catch((error: unknown) => {
    throw wrap(error, "failed to list MachineDrainRules");
  });
  const { compiled, errors } = compileAll(rules);
  // One rule that cannot be understood might have been the one that protects a Pod.
  if (errors.length > 0) throw wrap(aggregate(errors), "failed to get matching MachineDrainRules");
  return compiled
    .filter(({ isFor }) => isFor(machine.metadata.labels, cluster.metadata.labels))
    .map(({ rule }) => rule)
    .toSorted((a, b) => compareText(a.name, b.name));
}

interface CompiledRule {
  readonly rule: DrainRule;
  readonly isFor: (machine: Labels | undefined, cluster: Labels | undefined) => boolean;
}

function compileAll(rules: readonly MachineDrainRule[]) {
  const compiled: CompiledRule[] = [];
  const errors: Error[] = [];
  for (const rule of rules) {
    try {
      compiled.push(compileRule(rule));
    } catch (error) {
      if (!(error instanceof InvalidLabelSelectorError)) throw error;
      errors.push(wrap(error, `invalid selectors in MachineDrainRule ${rule.metadata.name ?? ""}`));
    }
  }
  return { compiled, errors };
}

function compileRule({ metadata, spec }: MachineDrainRule): CompiledRule {
  const machines = (spec.machines ?? []).map(({ selector, clusterSelector }) => [
    selecting(selector),
    selecting(clusterSelector),
  ]);
  const pods = (spec.pods ?? []).map(({ selector, namespaceSelector }) => [
    selecting(selector),
    selecting(namespaceSelector),
  ]);
  return {
    isFor: (machine, cluster) => matchesAny(machines, [machine, cluster]),
    rule: {
      name: metadata.name ?? "",
      behavior: spec.drain.behavior,
      order: spec.drain.order ?? 0,
      appliesTo: (pod, namespaceLabels) => matchesAny(pods, [pod.metadata.labels, namespaceLabels]),
    },
  };
}

/** Here a selector that is not set selects everything. */
function selecting(selector: LabelSelector | undefined): Selector {
  return selector === undefined ? everything : compileLabelSelector(selector);
}

/** Without any alternatives everything matches; within one, all of its selectors must. */
function matchesAny(alternatives: readonly (readonly Selector[])[], labels: readonly (Labels | undefined)[]): boolean {
  if (alternatives.length === 0) return true;
  return alternatives.some((selectors) => selectors.every(({ matches }, index) => matches(labels[index])));
}

/** Why a rule cannot be followed. */
export function unknownBehavior({ name, behavior }: DrainRule): string {
  return `MachineDrainRule ${quote(name)} has unknown spec.drain.behavior: ${quote(behavior)}`;
}
