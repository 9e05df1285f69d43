import type { Dialect } from "./environment.ts";
import { arithmetic } from "./library/arithmetic.ts";
import { basics } from "./library/basics.ts";
import { calendar } from "./library/calendar.ts";
import { comparison } from "./library/comparison.ts";
import { conversion } from "./library/conversion.ts";
import { standardMacros } from "./syntax/standard-macros.ts";

/** The language as its makers define it, without any library. */
export const language: Dialect = {
  functions: [...basics, ...comparison, ...arithmetic, ...conversion, ...calendar],
  macros: standardMacros,
};
