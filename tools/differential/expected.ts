import { readFileSync } from "node:fs";
import type { Difference } from "./compare.ts";

/** A difference that stays, and where scripts meet it. */
export interface Expected {
  readonly what: string;
  readonly ours: string;
  readonly real: string;
  readonly why: string;
  readonly where: readonly Place[];
}

/** A step of a script, and the path in its answer at or below which the servers differ; `*` stands for any. */
export interface Place {
  readonly script: string;
  readonly step: string;
  readonly path: string;
}

/** The list of differences that stay, with the places that no answer has met yet. */
export class ExpectedDifferences {
  readonly #places: readonly Place[];
  readonly #unmet: Set<Place>;

  constructor(expected: readonly Expected[]) {
    this.#places = expected.flatMap(({ where }) => where);
    this.#unmet = new Set(this.#places);
  }

  /** Whether a difference is listed; from then on its place counts as met. */
  covers(script: string, step: string, { path }: Difference): boolean {
    const met = this.#places.filter(
      (place) => isMeant(place.script, script) && isMeant(place.step, step) && isWithin(path, place.path),
    );
    for (const place of met) this.#unmet.delete(place);
    return met.length > 0;
  }

  /** Places of the scripts that ran at which the servers no longer differ; any script is meant once all have run. */
  unmet(scripts: ReadonlySet<string>, ran: "all" | "some"): readonly Place[] {
    return [...this.#unmet].filter(({ script }) => scripts.has(script) || (script === "*" && ran === "all"));
  }
}

/** Reads the list. */
export function readExpected(file: string): readonly Expected[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of this repository, checked by its test
  return JSON.parse(readFileSync(file, "utf8")) as Expected[];
}

function isMeant(pattern: string, name: string): boolean {
  return pattern === "*" || pattern === name;
}

function isWithin(path: string, outer: string): boolean {
  const pattern = outer.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("\\[\\*\\]", "\\[\\d+\\]");
  return new RegExp(`^${pattern}(?:$|[.[])`).test(path);
}
