import { InvalidTimestampError, parseInstant } from "#base";
import { humanDuration, type Json, type KubeObject } from "#machinery";
import { listAt, objectAt, textAt, textsAt } from "../object-fields.ts";

/** What stands in one column; `now` is in milliseconds since 1970. */
export type Cell = (object: KubeObject, now: number) => Json;

/** The cells of a kind by the names of their columns. */
export type Cells = Readonly<Record<string, Cell>>;

/** Said where there is nothing to say. */
export const none = "<none>";

/** How long ago something was: `12s`, `3m5s`, `2h`, `5d`. */
export function ageOf(time: unknown, now: number): string {
  const instant = instantOf(time);
  return instant === undefined ? "<unknown>" : humanDuration(now - instant);
}

/** A time as milliseconds since 1970; undefined where it is none. */
export function instantOf(time: unknown): number | undefined {
  if (typeof time !== "string") return undefined;
  try {
    return parseInstant(time);
  } catch (error) {
    if (error instanceof InvalidTimestampError) return undefined;
    throw error;
  }
}

/** A cell with the text at a path. */
export function text(...path: readonly string[]): Cell {
  return (object) => textAt(object, ...path);
}

/** A cell with the text at a path, or something else where there is none. */
export function textOr(otherwise: string, ...path: readonly string[]): Cell {
  return (object) => textAt(object, ...path) || otherwise;
}

/** A cell with the number at a path; nothing counts as 0. */
export function count(...path: readonly string[]): Cell {
  return (object) => countAt(object, ...path);
}

export function countAt(object: unknown, ...path: readonly string[]): number {
  const name = path.at(-1) ?? "";
  const value = objectAt(object, ...path.slice(0, -1))[name];
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
}

/** A cell with the length of the list at a path. */
export function lengthOf(...path: readonly string[]): Cell {
  return (object) => listAt(object, ...path).length;
}

/** A cell with a truth; nothing counts as false. */
export function flag(...path: readonly string[]): Cell {
  return (object) => objectAt(object, ...path.slice(0, -1))[path.at(-1) ?? ""] === true;
}

/** Labels as selectors write them: `a=b,c=d`. */
export function labelsText(labels: Json | undefined): string {
  const map = objectAt(labels ?? null);
  const pairs = Object.keys(map)
    .toSorted()
    .map((key) => `${key}=${textAt(map, key)}`);
  return pairs.length === 0 ? none : pairs.join(",");
}

/** A label selector in one line. */
export function selectorText(selector: Json | undefined): string {
  const labels = Object.entries(objectAt(selector ?? null, "matchLabels")).map(([key, value]) => ({
    key,
    shown: `${key}=${typeof value === "string" ? value : ""}`,
  }));
  const expressions = listAt(selector ?? null, "matchExpressions").map((each) => ({
    key: textAt(each, "key"),
    shown: expressionText(each),
  }));
  const parts = [...labels, ...expressions].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return parts.length === 0 ? none : parts.map(({ shown }) => shown).join(",");
}

function expressionText(expression: Json): string {
  const [key, values] = [textAt(expression, "key"), textsAt(expression, "values").toSorted().join(",")];
  switch (textAt(expression, "operator")) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
}

/** The containers of a pod template, by name or by another of their fields. */
export function containersText(template: Json | undefined, field: "name" | "image"): string {
  return listAt(template ?? null, "spec", "containers")
    .map((container) => textAt(container, field))
    .join(",");
}

/** At most three of some texts, and how many more there are. */
export function firstThree(texts: readonly string[], more: (count: number) => string): string {
  const shown = texts.slice(0, 3).join(",");
  return texts.length > 3 ? `${shown}${more(texts.length - 3)}` : shown;
}
