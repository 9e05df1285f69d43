import { InvalidTimestampError, parseTimestamp, quote, type Timestamp } from "#base";
import { fieldAt, isJsonObject, type JsonObject } from "#machinery";
import { type Condition, findCondition, type Status } from "./condition.ts";
import { MalformedConditionsError } from "./errors.ts";

/** The reason given to a condition of a provider's object that has none. */
const noReasonReported = "NoReasonReported";

// Providers that still serve the older shape keep today's conditions in the first place.
const places = [["status", "v1beta2", "conditions"] as const, ["status", "conditions"] as const];

/** Reads the conditions of an object whose kind is not ours, such as a provider's control plane. */
export function readConditions(object: unknown): readonly Condition[] {
  if (!isJsonObject(object)) throw new MalformedConditionsError("cannot read conditions: there is no object");
  for (const place of places) {
    const list = fieldAt(object, ...place);
    if (Array.isArray(list)) return parseAll(list, `${place.join(".")} from ${kindOf(object)}`);
  }
  return [];
}

/** The first condition of a type on an object whose kind is not ours. */
export function readCondition(object: unknown, type: string): Condition | undefined {
  return findCondition(readConditions(object), type);
}

function kindOf(object: JsonObject): string {
  const { kind } = object;
  return typeof kind === "string" ? kind : "";
}

function parseAll(list: readonly unknown[], what: string): readonly Condition[] {
  const refuse = (why: string) =>
    new MalformedConditionsError(`failed to convert ${what} to []metav1.Condition: ${why}`);
  return list.filter(isJsonObject).map((entry) => parse(entry, refuse));
}

function parse(entry: JsonObject, refuse: (why: string) => Error): Condition {
  const type = textOf(entry["type"]);
  const status = textOf(entry["status"]);
  if (type === "") throw refuse("type must be set for all conditions");
  if (status === "") throw refuse(`status must be set for the ${type} condition`);
  if (!isStatus(status)) throw refuse(`status for the ${type} condition must be one of True, False, Unknown`);
  const generation = entry["observedGeneration"];
  const time = timeOf(entry["lastTransitionTime"], type, refuse);
  return {
    type,
    status,
    reason: textOf(entry["reason"]) || noReasonReported,
    message: textOf(entry["message"]),
    ...(typeof generation === "number" ? { observedGeneration: generation } : {}),
    ...(time === undefined ? {} : { lastTransitionTime: time }),
  };
}

function isStatus(text: string): text is Status {
  return text === "True" || text === "False" || text === "Unknown";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function timeOf(value: unknown, type: string, refuse: (why: string) => Error): Timestamp | undefined {
  if (value === undefined || value === null || value === "" || value === "null") return undefined;
  if (typeof value !== "string") throw refuse(`lastTransitionTime of the ${type} condition must be a time`);
  try {
    return parseTimestamp(value);
  } catch (error) {
    if (!(error instanceof InvalidTimestampError)) throw error;
    throw refuse(`lastTransitionTime of the ${type} condition is not a time: ${quote(value)}`);
  }
}
