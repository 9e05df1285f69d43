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

/** A step of a script, and the path in its answer at or below which the servers differ. */
export interface Place {
  readonly script: string;
  readonly step: string;
  readonly path: string;
}

/** The list of differences that stay, with the places that no answer has met yet. */
export class ExpectedDifferences {
  readonly #unmet: Set<Place>;

  constructor(expected: readonly Expected[]) {
    this.#unmet = new Set(expected.flatMap(({ where }) => where));
    this.places = [...this.#unmet];
  }

  readonly places: readonly Place[];

  /** Whether a difference is listed; from then on its place counts as met. */
  covers(script: string, step: string, { path }: Difference): boolean {
    const places = this.places.filter(
      (place) => place.script === script && place.step === step && isWithin(path, place.path),
    );
    for (const place of places) this.#unmet.delete(place);
    return places.length > 0;
  }

  /** Places of the scripts that ran at which the servers no longer differ. */
  unmet(scripts: ReadonlySet<string>): readonly Place[] {
    return [...this.#unmet].filter(({ script }) => scripts.has(script));
  }
}

/** Reads the list; where there is none, nothing is expected. */
export function readExpected(file: string): readonly Expected[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of this repository, checked by its test
  return JSON.parse(readFileSync(file, "utf8")) as Expected[];
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}
