import { UnknownFactError } from "./errors.ts";

/** Facts of which some are not known: `withUnknownFacts(facts, ["node", "connection.lastProbeSuccess"])`. Whoever reads one of those gets an UnknownFactError. */
export function withUnknownFacts<Facts extends object>(facts: Facts, unknown: readonly string[]): Facts {
  let known = facts;
  for (const name of unknown) known = without(known, name.split("."), name);
  return known;
}

function without<Value extends object>(value: Value, [first = "", ...rest]: readonly string[], name: string): Value {
  const inside: unknown = Reflect.get(value, first);
  // Only descriptors carry over members that are not known already: spreading would read them.
  const copy: Value = Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));
  const isDeeper = rest.length > 0 && typeof inside === "object" && inside !== null;
  return Object.defineProperty(copy, first, {
    enumerable: true,
    configurable: true,
    ...(isDeeper ? { value: without(inside, rest, name) } : { get: () => refuse(name) }),
  });
}

function refuse(name: string): never {
  throw new UnknownFactError(name);
}
