import { inspectAggregates, inspectFormats, inspectLiterals } from "./check/inspections.ts";
import { optionalType, dynType } from "./check/type.ts";
import { Environment, type Dialect } from "./environment.ts";
import { language } from "./language.ts";
import { lists, moreLists } from "./library/lists.ts";
import { mapInsert } from "./library/map-insert.ts";
import { namedFormats } from "./library/named-format.ts";
import { addresses, addressType, networks, networkType } from "./library/network.ts";
import { optionalValues } from "./library/optional.ts";
import { quantities } from "./library/quantity.ts";
import { regex } from "./library/regex.ts";
import { semvers } from "./library/semver.ts";
import { sets } from "./library/sets.ts";
import { joining, laterStrings, strings } from "./library/strings.ts";
import { urls } from "./library/url.ts";
import { optionalMacros, sortMacros } from "./syntax/library-macros.ts";
import { twoVariableMacros } from "./syntax/standard-macros.ts";

/** A minor version of Kubernetes 1.x, which decides what a new expression may use. */
export type MinorVersion = number;

/** What Kubernetes 1.35 lets new expressions use: everything that 1.34 understands, so that one can go back. */
export const compatibilityVersion: MinorVersion = 34;

/** Expressions that are stored already may use everything there is. */
export const everyVersion: MinorVersion = Number.MAX_SAFE_INTEGER;

type Addition = Partial<Dialect> & { readonly since: MinorVersion };

const additions: readonly Addition[] = [
  {
    since: 0,
    functions: [...urls, ...regex, ...lists, ...strings, ...joining],
    inspections: [inspectAggregates],
  },
  {
    since: 28,
    functions: [...optionalValues, ...quantities],
    macros: optionalMacros,
    types: [optionalType(dynType)],
    optionalSyntax: true,
    crossTypeComparisons: true,
  },
  {
    since: 29,
    functions: [...laterStrings, ...sets],
    inspections: [inspectLiterals, inspectFormats],
  },
  { since: 30, functions: [...addresses, ...networks], types: [addressType, networkType] },
  { since: 31, functions: namedFormats },
  { since: 32, functions: mapInsert, macros: twoVariableMacros },
  { since: 33, functions: semvers },
  { since: 34, functions: moreLists, macros: sortMacros },
];

const environments = new Map<MinorVersion, Environment>();

/** CEL as Kubernetes has it for rules on objects; the authorizer is for admission policies and left out. */
export function kubernetesEnvironment(version: MinorVersion = compatibilityVersion): Environment {
  const reached = additions.filter(({ since }) => since <= version);
  const level = reached.at(-1)?.since ?? 0;
  const known = environments.get(level);
  if (known !== undefined) return known;
  const environment = new Environment({
    functions: [...language.functions, ...reached.flatMap(({ functions = [] }) => functions)],
    macros: [...language.macros, ...reached.flatMap(({ macros = [] }) => macros)],
    types: reached.flatMap(({ types = [] }) => types),
    inspections: reached.flatMap(({ inspections = [] }) => inspections),
    optionalSyntax: reached.some(({ optionalSyntax }) => optionalSyntax === true),
    crossTypeComparisons: reached.some(({ crossTypeComparisons }) => crossTypeComparisons === true),
    foldConstants: true,
  });
  environments.set(level, environment);
  return environment;
}
