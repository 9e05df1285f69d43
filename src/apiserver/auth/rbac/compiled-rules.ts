import { type PathAttributes, type ResourceAttributes, wholeResource } from "./attributes.ts";
import { pathMatches, type PolicyRule } from "./policy-rule.ts";

/** One or all. */
type Choice = ReadonlySet<string> | "all";

interface CompiledRule<Source> {
  readonly source: Source;
  readonly verbs: Choice;
  readonly groups: Choice;
  readonly names: Choice;
}

interface CompiledPathRule<Source> {
  readonly source: Source;
  readonly verbs: Choice;
  readonly paths: readonly string[];
}

/**
 * Rules, prepared for being asked often: those of a resource are found by its name. Each carries where it comes from.
 */
export class CompiledRules<Source> {
  readonly #byResource = new Map<string, CompiledRule<Source>[]>();
  /** For all resources: `*`. */
  readonly #forAll: CompiledRule<Source>[] = [];
  readonly #forPaths: CompiledPathRule<Source>[] = [];

  add(rule: PolicyRule, source: Source): void {
    const verbs = choice(rule.verbs);
    if (rule.nonResourceURLs.length > 0) this.#forPaths.push({ source, verbs, paths: rule.nonResourceURLs });
    const names: Choice = rule.resourceNames.length === 0 ? "all" : new Set(rule.resourceNames);
    const compiled = { source, verbs, groups: choice(rule.apiGroups), names };
    for (const resource of new Set(rule.resources)) {
      if (resource === "*") this.#forAll.push(compiled);
      else {
        const others = this.#byResource.get(resource);
        if (others === undefined) this.#byResource.set(resource, [compiled]);
        else others.push(compiled);
      }
    }
  }

  /** Where a rule comes from that allows something with a resource; undefined where none does. */
  allowingResource(attributes: ResourceAttributes): Source | undefined {
    const { subresource } = attributes;
    return (
      allowing(this.#byResource.get(wholeResource(attributes)), attributes) ??
      allowing(this.#forAll, attributes) ??
      (subresource === "" ? undefined : allowing(this.#byResource.get(`*/${subresource}`), attributes))
    );
  }

  /** The same for a path. */
  allowingPath({ verb, path }: PathAttributes): Source | undefined {
    const found = this.#forPaths.find(
      ({ verbs, paths }) => includes(verbs, verb) && paths.some((pattern) => pathMatches(pattern, path)),
    );
    return found?.source;
  }
}

function allowing<Source>(
  rules: readonly CompiledRule<Source>[] | undefined,
  { verb, group, name }: ResourceAttributes,
): Source | undefined {
  if (rules === undefined) return undefined;
  for (const { source, verbs, groups, names } of rules) {
    if (includes(verbs, verb) && includes(groups, group) && includes(names, name)) return source;
  }
  return undefined;
}

function choice(values: readonly string[]): Choice {
  return values.includes("*") ? "all" : new Set(values);
}

function includes(among: Choice, value: string): boolean {
  return among === "all" || among.has(value);
}
