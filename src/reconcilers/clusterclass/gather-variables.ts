import type { ClusterClass, ClusterClassStatusVariable, ClusterClassVariable } from "#api";
import type { MinorVersion } from "#cel";
import type { ExtensionClient } from "#extensions";
import { describeFieldError, fieldAt, FieldPath } from "#machinery";
import { conflictsIn, Definitions, readVariable, validateDefinitions, type VariableReader } from "#topology";
import { askExtensions } from "./ask-extensions.ts";
import type { DiscoveryProblem } from "./facts.ts";

/** What gathering variables needs from outside. */
export interface DiscoveryPorts {
  /** Whether extensions are asked at all. */
  readonly runtimeSDK: boolean;
  readonly extensions: Pick<ExtensionClient, "call">;
  /** Reads the variables of answers; in both shapes unless told otherwise. */
  readonly readVariable?: VariableReader;
  /** What new CEL expressions may use; what the current version of Kubernetes lets them use unless told otherwise. */
  readonly celVersion?: MinorVersion;
}

/** What came of gathering: variables, or the problems for which those that are known stay. */
export type Gathered =
  | {
      readonly kind: "known";
      readonly variables: readonly ClusterClassStatusVariable[];
      readonly conflicts: readonly string[];
    }
  | { readonly kind: "unknown"; readonly problems: readonly DiscoveryProblem[] };

// While a client has an answer in its cache it comes again with every pass, and for every class that asks the same.
const sound = new WeakMap<readonly unknown[], readonly ClusterClassVariable[]>();

/** Gathers the variables that a class defines itself and those that the extensions of its patches define. */
export async function gatherVariables(
  clusterClass: ClusterClass,
  ports: DiscoveryPorts,
  { signal }: { readonly signal: AbortSignal },
): Promise<Gathered> {
  const definitions = new Definitions();
  const problems: DiscoveryProblem[] = [];
  definitions.addInline(clusterClass.spec.variables ?? []);
  const asked = ports.runtimeSDK ? await askExtensions(clusterClass, { extensions: ports.extensions, signal }) : [];
  for (const { patch, outcome } of asked) {
    if (outcome.kind !== "answered") {
      problems.push({ ...outcome, patch });
      continue;
    }
    const known = sound.get(outcome.variables);
    const variables = known ?? read(outcome.variables);
    // A class with a problem keeps the variables that it has, so that later answers need no validation.
    if (variables.length === 0 || problems.length > 0) continue;
    const errors = known ? [] : validateDefinitions(variables, FieldPath.of(patch, "variables"), celOptions(ports));
    if (errors.length > 0) {
      problems.push({ kind: "invalid", patch, errors: errors.map(describeFieldError) });
      continue;
    }
    definitions.add(patch, variables);
    if (ports.readVariable === undefined) sound.set(outcome.variables, variables);
  }
  if (problems.length > 0) return { kind: "unknown", problems };
  const sorted = definitions.sorted();
  return { kind: "known", variables: sorted, conflicts: conflictsIn(sorted) };

  function read(answer: readonly unknown[]): readonly ClusterClassVariable[] {
    const { readVariable: reads = readVariable } = ports;
    return answer.flatMap((variable) => {
      const converted = reads(variable);
      if (converted !== undefined) return [converted];
      problems.push({ kind: "not-convertible", variable: nameOf(variable) });
      return [];
    });
  }
}

function celOptions({ celVersion }: DiscoveryPorts): { readonly celVersion?: MinorVersion } {
  return celVersion === undefined ? {} : { celVersion };
}

function nameOf(variable: unknown): string {
  const name = fieldAt(variable, "name");
  return typeof name === "string" ? name : "";
}
