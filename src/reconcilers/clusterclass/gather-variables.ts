import type { ClusterClass, ClusterClassStatusVariable, ClusterClassVariable } from "#api";
import { CapstanError, describeError } from "#base";
import type { MinorVersion } from "#cel";
import { DiscoverVariables, type ExtensionClient, type HookRequest } from "#extensions";
import { describeFieldError, fieldAt, FieldPath, keyOf } from "#machinery";
import { conflictsIn, Definitions, readVariable, validateDefinitions, type VariableReader } from "#topology";
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
  const { variables: inline = [], patches = [] } = clusterClass.spec;
  const definitions = new Definitions();
  const problems: DiscoveryProblem[] = [];
  definitions.addInline(inline);
  for (const { name, external } of ports.runtimeSDK ? patches : []) {
    const handler = external?.discoverVariablesExtension ?? "";
    if (handler === "") continue;
    const answer = await ask(name, handler, external?.settings);
    const known = sound.get(answer);
    const variables = known ?? read(answer);
    // A class with a problem keeps the variables that it has, so that later answers need no validation.
    if (variables.length === 0 || problems.length > 0) continue;
    const errors = known ? [] : validateDefinitions(variables, FieldPath.of(name, "variables"), celOptions(ports));
    if (errors.length > 0) {
      problems.push({ kind: "invalid", patch: name, errors: errors.map(describeFieldError) });
      continue;
    }
    definitions.add(name, variables);
    if (ports.readVariable === undefined) sound.set(answer, variables);
  }
  if (problems.length > 0) return { kind: "unknown", problems };
  const sorted = definitions.sorted();
  return { kind: "known", variables: sorted, conflicts: conflictsIn(sorted) };

  async function ask(patch: string, handler: string, settings: HookRequest["settings"]): Promise<readonly unknown[]> {
    const request = settings === undefined ? {} : { settings };
    const options = { for: keyOf(clusterClass), cache: true, signal };
    try {
      const { status, message, variables } = await ports.extensions.call(DiscoverVariables, handler, request, options);
      if (status === "Success") return variables;
      problems.push({ kind: "refused", patch, status, message });
    } catch (error) {
      if (!(error instanceof CapstanError)) throw error;
      problems.push({ kind: "call-failed", patch, error: describeError(error) });
    }
    return [];
  }

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
