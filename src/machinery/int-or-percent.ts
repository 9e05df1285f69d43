import { quote } from "#base";
import { atoi } from "./go-integer.ts";

/** Why a value is neither a number nor a percentage; undefined where it is one of them. */
export function intOrPercentProblem(value: number | string): string | undefined {
  if (typeof value === "number") return undefined;
  if (!value.endsWith("%")) return "invalid value for IntOrString: invalid type: string is not a percentage";
  const number = atoi(value.slice(0, -1));
  if (number.kind === "integer") return undefined;
  return `invalid value for IntOrString: invalid value ${quote(value)}: ${number.why}`;
}
