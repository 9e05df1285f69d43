import { irregularWords, pluralEndings } from "./plural-words.ts";

const pluralOfWord: ReadonlyMap<string, string> = new Map(irregularWords.map(([word, plural]) => [word, plural]));

const knownPlurals: ReadonlySet<string> = new Set(
  irregularWords.flatMap(([, plural, { alternative, oneWay = false } = {}]) =>
    oneWay ? [] : [plural, alternative ?? plural],
  ),
);

// Of words that end alike, the one further down in the list decides.
const endings: readonly (readonly [singular: string, plural: string])[] = [
  ...irregularWords
    .filter(([, , { exact = false } = {}]) => !exact)
    .map(([word, plural]) => [word, plural] as const)
    .toReversed(),
  ...pluralEndings,
];

// Capitals in a row begin one word: the last one of `AWSIndex` is all of it.
const lastWord = /(?:\p{Lu}+\P{Lu}*|\P{Lu}+)$/u;

// There are few kinds, asked for with every reference; names that somebody makes up must not fill the memory.
const mostPlurals = 1000;
const plurals = new Map<string, string>();

/**
 * The plural of a kind, as the resources of providers and messages about several objects are named: `MachinePools`,
 * `FooProxies`; of a kind in lower case, `machinepools`. Only the last word of a kind counts.
 */
export function pluralOf(kind: string): string {
  const known = plurals.get(kind);
  if (known !== undefined) return known;
  const plural = madePlural(kind);
  if (plurals.size < mostPlurals) plurals.set(kind, plural);
  return plural;
}

function madePlural(kind: string): string {
  const word = lastWord.exec(kind)?.[0] ?? "";
  return kind.slice(0, kind.length - word.length) + pluralOfLastWord(word);
}

function pluralOfLastWord(word: string): string {
  if (word === "") return "";
  const lower = word.toLowerCase();
  const irregular = pluralOfWord.get(word) ?? pluralOfWord.get(lower);
  if (irregular !== undefined) return startsLower(word) ? irregular : capitalized(irregular);
  if (knownPlurals.has(lower)) return word;
  for (const [singular, plural] of endings) {
    if (word.endsWith(plural)) return word;
    if (word.endsWith(singular)) return word.slice(0, word.length - singular.length) + plural;
  }
  return lower.endsWith("s") ? word : `${word}s`;
}

function startsLower(word: string): boolean {
  return word.startsWith(word.charAt(0).toLowerCase());
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
