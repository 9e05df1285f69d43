/** How a kind ends, and what its plural ends in instead; the first that fits decides. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/(ay|ey|oy|uy)$/, "$1s"],
  [/y$/, "ies"],
  [/us$/, "uses"],
  [/(ch|sh|ss|x)$/, "$1es"],
  [/(io|lo|to|oo|ano)$/, "$1s"],
  [/o$/, "oes"],
  [/S$/, "Ses"],
  // Whatever else ends in s passes for a plural already.
  [/s$/, "s"],
  [/$/, "s"],
];

/** The plural of a kind as messages print it: `Machines`, `FooProxies`, `FooClasses`. */
export function pluralOf(kind: string): string {
  const [ending, plural] = endings.find(([pattern]) => pattern.test(kind)) ?? [/$/, "s"];
  return kind.replace(ending, plural);
}
