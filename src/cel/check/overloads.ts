import type { FunctionDeclaration, Overload } from "./declaration.ts";
import { dynType, isOpen, sameType, type Type } from "./type.ts";
import type { Substitution } from "./unify.ts";

/** Picks the signatures that argument types fit; the result is dyn where they disagree about it. */
export function resolveOverloads(
  declared: FunctionDeclaration,
  types: readonly Type[],
  options: {
    readonly member: boolean;
    readonly substitution: Substitution;
    readonly crossTypeComparisons: boolean;
    readonly freshParameter: () => Type;
  },
): { readonly overloads: readonly Overload[]; readonly type: Type } | undefined {
  const { member, substitution } = options;
  const fitting: Overload[] = [];
  let result: Type | undefined;
  for (const overload of declared.overloads) {
    if (overload.member !== member || overload.parameters.length !== types.length) continue;
    if (overload.crossType === true && !options.crossTypeComparisons) continue;
    const instance = instantiate(overload, options.freshParameter);
    if (!substitution.assignAll(types, instance.parameters)) continue;
    fitting.push(overload);
    const type = substitution.resolve(instance.result);
    if (result === undefined) result = type;
    else if (result.kind !== "dyn" && !sameType(type, result)) result = dynType;
  }
  return result === undefined ? undefined : { overloads: fitting, type: result };
}

/** The signature with its type parameters replaced by ones that nothing else uses. */
function instantiate(
  overload: Overload,
  freshParameter: () => Type,
): { readonly parameters: readonly Type[]; readonly result: Type } {
  if (!isGeneric(overload)) return overload;
  const fresh = new Map<string, Type>();
  return { parameters: overload.parameters.map(replace), result: replace(overload.result) };

  function replace(type: Type): Type {
    if (type.kind === "parameter") {
      const known = fresh.get(type.name) ?? freshParameter();
      fresh.set(type.name, known);
      return known;
    }
    return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(replace) };
  }
}

const generic = new WeakMap<Overload, boolean>();

function isGeneric(overload: Overload): boolean {
  const known = generic.get(overload) ?? (isOpen(overload.result) || overload.parameters.some(isOpen));
  generic.set(overload, known);
  return known;
}
