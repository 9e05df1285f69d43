import { isJsonList, isJsonObject, type Json, type JsonObject } from "#machinery";

/** The steps that lead to a field of an object, as far as they can be followed. */
export type FieldSteps = readonly (string | number)[];

/**
 * Follows a printed path, such as `spec.variables[cpu].schema`, into the object that it is about. Brackets hold a key, an
 * index, or what an item of a list is called by.
 */
export function stepsTo(path: string, object: Json): FieldSteps {
  const steps: (string | number)[] = [];
  let value = object;
  let rest = path;
  while (rest !== "") {
    const found = stepInto(value, rest);
    if (found === undefined) break;
    steps.push(found.step);
    value = found.value;
    rest = found.rest;
  }
  return steps;
}

interface Found {
  readonly step: string | number;
  readonly value: Json;
  readonly rest: string;
}

function stepInto(value: Json, path: string): Found | undefined {
  const rest = path.startsWith(".") ? path.slice(1) : path;
  if (isJsonList(value)) return stepIntoList(value, rest);
  return isJsonObject(value) ? stepIntoObject(value, rest) : undefined;
}

function stepIntoList(list: readonly Json[], path: string): Found | undefined {
  for (const [step, value] of list.entries()) {
    const name = namesOf(value).find((each) => path.startsWith(`[${each}]`)) ?? String(step);
    if (path.startsWith(`[${name}]`)) return { step, value, rest: path.slice(name.length + 2) };
  }
  return undefined;
}

/** Names can hold anything, dots and brackets too, so that the longest one that fits is meant. */
function stepIntoObject(object: JsonObject, path: string): Found | undefined {
  const isBracketed = path.startsWith("[");
  const names = Object.keys(object).toSorted((a, b) => b.length - a.length);
  for (const step of names) {
    const start = isBracketed ? `[${step}]` : step;
    const rest = path.slice(start.length);
    const ends = rest === "" || rest.startsWith(".") || rest.startsWith("[");
    if (path.startsWith(start) && ends) return { step, value: object[step] ?? null, rest };
  }
  return undefined;
}

/** What an item of a list can be called by. */
function namesOf(item: Json): readonly string[] {
  if (!isJsonObject(item)) return [];
  return ["name", "class", "type", "key"].flatMap((field) => {
    const name = Object.hasOwn(item, field) ? item[field] : undefined;
    return typeof name === "string" ? [name] : [];
  });
}
