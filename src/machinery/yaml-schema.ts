import {
  defineMappingTag,
  defineScalarTag,
  DUMP_SCHEMA,
  FAILSAFE_SCHEMA,
  mergeTag,
  NOT_RESOLVED,
  type Schema,
} from "js-yaml";
import { type Json, type JsonObjectDraft, setMember } from "./json.ts";
import { exactNumber } from "./json-parse.ts";

const core = "tag:yaml.org,2002:";

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) => [word, false] as const),
]);
const nulls: ReadonlySet<string> = new Set(["", "~", "null", "Null", "NULL"]);
const notFinite: ReadonlyMap<string, number> = new Map([
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, Infinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, -Infinity] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, NaN] as const),
]);

/** Most texts are no keyword and no number, and their beginning tells. */
const perhapsNoText = /^(?:[-+.\d]|[yYnNtTfFoO]\w{0,4}$|~|<<|$)/;
const smallInteger = /^(?:0|[1-9]\d{0,14})$/;
const decimal = /^[-+]?[1-9]\d*$/;
const otherInteger = /^([-+]?)(0[xX][\dA-Fa-f]+|0[bB][01]+|0[0-7]*|0[oO][0-7]+)$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const greatestUint64 = 2n ** 64n - 1n;

/** What a reader of one text leaves behind for its error messages. */
export interface YamlReading {
  readonly schema: Schema;
  /** The key that was looked up last; after a refusal for a repeated key, that one. */
  readonly lastKey: () => string;
}

/** How Kubernetes reads YAML: scalars of YAML 1.1 except times and base sixty, and keys that are always texts. */
export function kubernetesYaml(): YamlReading {
  let lastKey = "";
  const mapping = defineMappingTag<JsonObjectDraft>(`${core}map`, {
    create: () => ({}),
    has: (object, key) => {
      lastKey = keyText(key) ?? "";
      return Object.hasOwn(object, lastKey);
    },
    addPair: (object, key, value) => {
      const text = keyText(key);
      if (text === undefined) return "a key must be a text, a number or a boolean";
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every tag of this schema makes JSON
      setMember(object, text, value as Json);
      return "";
    },
    keys: (object) => Object.keys(object),
    get: (object, key) => object[keyText(key) ?? ""],
    identify: () => false,
  });
  return { schema: scalars.withTags(mapping), lastKey: () => lastKey };
}

/** What a text without quotes is; undefined for what JSON does not have, and for the sign that merges mappings. */
export function plainScalar(source: string): string | number | bigint | boolean | null | undefined {
  if (!perhapsNoText.test(source)) return source;
  if (smallInteger.test(source)) return Number(source);
  if (nulls.has(source)) return null;
  const truth = booleans.get(source);
  if (truth !== undefined) return truth;
  if (notFinite.has(source) || source === "<<") return undefined;
  const number = scalarNumber(source);
  return typeof number === "symbol" ? source : number;
}

/** How YAML is written: every text that any reader could take for something else is quoted. */
export const dumpSchema = DUMP_SCHEMA.withTags(
  defineScalarTag<bigint>(`${core}int`, {
    implicit: true,
    resolve: (source) => (typeof scalarNumber(source) === "symbol" ? NOT_RESOLVED : 0n),
    identify: (value) => typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value)),
  }),
);

const scalars = FAILSAFE_SCHEMA.withTags(
  defineScalarTag<null>(`${core}null`, {
    implicit: true,
    implicitFirstChars: ["", "~", "n", "N"],
    resolve: (source) => (nulls.has(source) ? null : NOT_RESOLVED),
    identify: () => false,
  }),
  defineScalarTag<boolean>(`${core}bool`, {
    implicit: true,
    implicitFirstChars: "yYnNtTfFoO".split(""),
    resolve: (source) => booleans.get(source) ?? NOT_RESOLVED,
    identify: () => false,
  }),
  defineScalarTag<number | bigint>(`${core}int`, {
    implicit: true,
    implicitFirstChars: "0123456789+-.".split(""),
    resolve: scalarNumber,
    identify: () => false,
  }),
  defineScalarTag<number | bigint>(`${core}float`, { resolve: scalarNumber, identify: () => false }),
  defineScalarTag<string>(`${core}binary`, {
    resolve: (source) => Buffer.from(source, "base64").toString("utf8"),
    identify: () => false,
  }),
  defineScalarTag<string>(`${core}timestamp`, { resolve: (source) => source, identify: () => false }),
  mergeTag,
);

function scalarNumber(source: string): number | bigint | typeof NOT_RESOLVED {
  const special = notFinite.get(source);
  if (special !== undefined) return special;
  const text = source.replaceAll("_", "");
  if (decimal.test(text)) return exactNumber(text.replace("+", "")) ?? NOT_RESOLVED;
  const [, sign, digits] = otherInteger.exec(text) ?? [];
  if (digits !== undefined) return integerOf(digits, sign === "-") ?? NOT_RESOLVED;
  if (!float.test(text)) return NOT_RESOLVED;
  const number = Number(text);
  return Number.isFinite(number) ? number : NOT_RESOLVED;
}

/** Hexadecimal, binary, and octal with its `o` or, as YAML 1.1 has it, without. */
function integerOf(digits: string, isNegative: boolean): number | bigint | undefined {
  if (digits.length > 100) return undefined;
  const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
  return size > greatestUint64 ? undefined : exactNumber(String(isNegative ? -size : size));
}

function keyText(key: unknown): string | undefined {
  if (typeof key === "string") return key;
  const isPlain = typeof key === "number" || typeof key === "bigint" || typeof key === "boolean";
  return isPlain ? String(key) : undefined;
}
