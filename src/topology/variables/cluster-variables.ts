import type { Cluster, ClusterClass, ClusterClassVariable, ClusterVariable } from "#api";
import { type FieldError, FieldPath } from "#machinery";
import { validateDefinitions } from "./validate-definitions.ts";
import { fillInValues, validateValues, type VariableDefinitions, type VariableValue } from "./variable-values.ts";

/** A Cluster with the defaults of its class, and what is wrong with its variables then. */
export interface FilledCluster {
  readonly cluster: Cluster;
  readonly errors: readonly FieldError[];
}

const topologyPath = FieldPath.of("spec", "topology");
const overridesPath = ["variables", "overrides"] as const;

/** Fills in the variables of a Cluster, those of its parts too, and checks them against the definitions of its class. */
export function fillInCluster(old: Cluster | undefined, cluster: Cluster, clusterClass: ClusterClass): FilledCluster {
  const { topology } = cluster.spec;
  if (topology === undefined) return { cluster, errors: [] };
  const filling = new Filling(clusterClass.status?.variables ?? []);
  const before = old?.spec.topology;
  const variables = filling.list(topology.variables ?? [], before?.variables ?? [], {
    path: topologyPath.child("variables"),
    isOverride: false,
  });
  const controlPlane = filling.part(topology.controlPlane, before?.controlPlane, topologyPath.child("controlPlane"));
  const workersPath = topologyPath.child("workers");
  const machineDeployments = filling.parts(
    topology.workers?.machineDeployments,
    before?.workers?.machineDeployments,
    workersPath.child("machineDeployments"),
  );
  const machinePools = filling.parts(
    topology.workers?.machinePools,
    before?.workers?.machinePools,
    workersPath.child("machinePools"),
  );
  const workers = topology.workers && {
    ...topology.workers,
    ...(machineDeployments === undefined ? {} : { machineDeployments }),
    ...(machinePools === undefined ? {} : { machinePools }),
  };
  const filled = {
    ...topology,
    ...(variables.length === 0 ? {} : { variables }),
    ...(controlPlane === undefined ? {} : { controlPlane }),
    ...(workers === undefined ? {} : { workers }),
  };
  return { cluster: { ...cluster, spec: { ...cluster.spec, topology: filled } }, errors: filling.errors() };
}

/** What webhooks ask about variables. */
export const variableRules = {
  validateDefinitions: (
    old: readonly ClusterClassVariable[],
    definitions: readonly ClusterClassVariable[],
    at: FieldPath,
  ): readonly FieldError[] => validateDefinitions(definitions, at, { old }),
  fillIn: fillInCluster,
};

interface Overridable {
  readonly variables?: { readonly overrides?: readonly ClusterVariable[] };
}

interface ListPlace {
  readonly path: FieldPath;
  readonly isOverride: boolean;
}

/** Fills in list after list; what was refused while filling in is said before what is wrong with the outcome. */
class Filling {
  readonly #definitions: VariableDefinitions;
  readonly #refused: FieldError[] = [];
  readonly #wrong: FieldError[] = [];

  constructor(definitions: VariableDefinitions) {
    this.#definitions = definitions;
  }

  errors(): readonly FieldError[] {
    return [...this.#refused, ...this.#wrong];
  }

  /** The list with its defaults, or as it was where it could not be filled in. */
  list(
    values: readonly VariableValue[],
    old: readonly VariableValue[],
    { path, isOverride }: ListPlace,
  ): readonly VariableValue[] {
    const filling = fillInValues(values, this.#definitions, { path, create: !isOverride });
    if (filling.kind === "refused") this.#refused.push(...filling.errors);
    const filled = filling.kind === "filled" ? filling.values : values;
    this.#wrong.push(...validateValues(filled, this.#definitions, { path, old, complete: !isOverride }));
    return filled;
  }

  /** A part of the topology with its overrides filled in; one without overrides stays as it is. */
  part<Part extends Overridable>(
    part: Part | undefined,
    old: Overridable | undefined,
    path: FieldPath,
  ): Part | undefined {
    const overrides = part?.variables?.overrides ?? [];
    if (part === undefined || overrides.length === 0) return part;
    const place = { path: path.child(...overridesPath), isOverride: true };
    const filled = this.list(overrides, old?.variables?.overrides ?? [], place);
    return { ...part, variables: { ...part.variables, overrides: filled } };
  }

  parts<Part extends Overridable & { readonly name: string }>(
    parts: readonly Part[] | undefined,
    old: readonly Part[] = [],
    path: FieldPath,
  ): readonly Part[] | undefined {
    return parts?.map((part) => {
      const before = old.find(({ name }) => name === part.name);
      return this.part(part, before, path.key(part.name)) ?? part;
    });
  }
}
