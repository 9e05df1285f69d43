import { isJsonObject, type Json, type JsonObject } from "#machinery";
import type { VectorCase, VectorFile } from "./vector-file.ts";
import { writtenOut } from "./vector-file.ts";

/** Which reading of a case is being run: a version of the reference, or a spelling of NodeReady's reasons. */
export type FormName = "v1.12" | "v1.13" | "documented" | "upstream";

/** One reading of a case. Where a case has several, all of them must pass. */
export interface Form {
  readonly name: FormName;
  readonly input: Json;
  readonly expected: Json;
}

/** The readings of a case that bind. */
export function formsOf(file: VectorFile, vector: VectorCase): readonly Form[] {
  if (file.name === "nodeready.json") return spellingsOf(vector);
  const older: Form = { name: "v1.12", input: vector.input, expected: withSeed(vector) };
  const newer = newerForm(vector, older);
  if (newer === undefined) return [older];
  // Validation speaks today's texts, and variables are accepted in both shapes; everything else follows v1.12.
  if (file.name === "variable-validation.json") return [newer];
  return file.name === "clusterclass-variables.json" ? [withTextsOf(newer, older), newer] : [older];
}

/** Where what is wrong with variables is part of an answer, that too is said in today's texts. */
function withTextsOf(newer: Form, older: Form): Form {
  if (!isJsonObject(newer.expected) || !isJsonObject(older.expected)) return older;
  const texts = ["conditions", "deprecatedV1Beta1Conditions", "error", "variableDiscoveryError"];
  const todays = Object.entries(newer.expected).filter(([name]) => texts.includes(name));
  return { ...older, expected: { ...older.expected, ...Object.fromEntries(todays) } };
}

function newerForm({ raw }: VectorCase, older: Form): Form | undefined {
  const override = raw["v1.13"];
  if (!isJsonObject(override)) return undefined;
  const { input, expected } = override;
  return {
    name: "v1.13",
    input: input === undefined ? older.input : writtenOut(input),
    expected: expected ?? older.expected,
  };
}

/** D1: NodeReady has the documented reasons by default and the reference's by choice. */
function spellingsOf({ input, expected, raw }: VectorCase): readonly Form[] {
  const upstream = raw["conditionsKept"] === true ? withStoredConditions(expected, input) : expected;
  const documented = raw["seedExpectedNodeReady"];
  return [
    { name: "documented", input, expected: isJsonObject(documented) ? withCondition(upstream, documented) : upstream },
    { name: "upstream", input, expected: upstream },
  ];
}

/** Kept means kept: the conditions that were there, times included. */
function withStoredConditions(expected: Json, input: Json): Json {
  const types = listAt(expected, "conditions").map((condition) => memberOf(condition, "type"));
  const stored = listAt(input, "machine", "status", "conditions");
  return {
    ...objectOf(expected),
    conditions: stored.filter((condition) => types.includes(memberOf(condition, "type"))),
  };
}

/** Where the documents that were asked for differ from the reference, they win: those members are replaced. */
function withSeed({ input, expected, raw }: VectorCase): Json {
  const seed = raw["seedExpected"];
  if (!isJsonObject(seed) || !isJsonObject(expected)) return expected;
  const { note: _, discovered, handlers, ...others } = seed;
  const members = Object.fromEntries(
    Object.entries(others).filter(
      ([name, value]) => expected[name] !== undefined && !differsInQuotes(value, expected[name]),
    ),
  );
  if (!isJsonObject(expected["result"])) return { ...expected, ...members };
  const result = handlers === undefined ? expected["result"] : { ...expected["result"], handlers };
  if (!isJsonObject(discovered)) return { ...expected, ...members, result };
  return {
    ...expected,
    ...members,
    result: withCondition(result, discovered),
    ...(expected["writesStatus"] === false ? { writesStatus: !isStored(discovered, result["name"], input) } : {}),
  };
}

/** D8: the reference quotes what the documents print bare, and quoted it stays. */
function differsInQuotes(seed: Json, upstream: Json | undefined): boolean {
  return typeof seed === "string" && typeof upstream === "string" && upstream.replaceAll('"', "") === seed;
}

/** D5: the read-only manager writes its condition only where it differs from the stored one. */
function isStored(condition: JsonObject, name: Json | undefined, input: Json): boolean {
  const config = listAt(input, "extensionConfigs").find((object) => memberOf(object, "metadata", "name") === name);
  const stored = listAt(config, "status", "conditions").find((c) => memberOf(c, "type") === condition["type"]);
  const members = ["status", "reason", "message", "observedGeneration"];
  return stored !== undefined && members.every((member) => memberOf(stored, member) === condition[member]);
}

/** The same with one condition replaced, or put in front where there was none of its type. */
function withCondition(expected: Json, condition: JsonObject): Json {
  const conditions = listAt(expected, "conditions");
  const isSame = (other: Json) => memberOf(other, "type") === condition["type"];
  return {
    ...objectOf(expected),
    conditions: conditions.some(isSame)
      ? conditions.map((other) => (isSame(other) ? condition : other))
      : [condition, ...conditions],
  };
}

function memberOf(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
}

function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const list = memberOf(value, ...path);
  return Array.isArray(list) ? list : [];
}

function objectOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
