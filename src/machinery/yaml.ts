import { isUtf8 } from "node:buffer";
import { dump, loadAll, YAMLException } from "js-yaml";
import { CapstanError } from "#base";
import { readBlockYaml } from "./block-yaml.ts";
import { deepestJson, type Json, JsonTooDeepError } from "./json.ts";
import { dumpSchema, kubernetesYaml } from "./yaml-schema.ts";

/** A text that is not YAML, or not YAML that Kubernetes takes; the message names the line. */
export class InvalidYamlError extends CapstanError {
  readonly code = "INVALID_YAML";
  /** Counted from one; undefined where the whole text is meant. */
  readonly line: number | undefined;
  /** True where two keys of a mapping are equal and nothing else is wrong so far. */
  readonly isDuplicateKey: boolean;

  constructor(problem: string, { line, isDuplicateKey = false }: { line?: number; isDuplicateKey?: boolean } = {}) {
    super(line === undefined ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
    this.line = line;
    this.isDuplicateKey = isDuplicateKey;
  }
}

/** How YAML is read. */
export interface YamlOptions {
  /** What happens when a key stands twice: it is refused, unless the last one is to win. */
  readonly duplicateKeys?: "refuse" | "last-wins";
}

// What aliases may add to a document; without any it cannot have more values than characters.
const mostAdded = 100_000;

/** Reads one YAML document as Kubernetes does: `on` is true, a time is a text, integers are exact. */
export function parseYaml(source: string | Uint8Array, options: YamlOptions = {}): Json {
  const documents = parseDocuments(source, options);
  if (documents.length > 1) throw new InvalidYamlError(`expected one document, found ${documents.length}`);
  return documents[0] ?? null;
}

/** Reads all YAML documents of a text, without the empty ones. */
export function parseYamlDocuments(source: string | Uint8Array, options: YamlOptions = {}): readonly Json[] {
  return parseDocuments(source, options).filter((document) => document !== null);
}

/** Writes YAML with keys in order and every doubtful text in quotes. */
export function printYaml(value: Json): string {
  checkSize(value, Infinity);
  return dump(value, {
    schema: dumpSchema,
    sortKeys: (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0),
    noRefs: true,
    lineWidth: -1,
    seqNoIndent: true,
    quoteStyle: "double",
  });
}

/** Writes several documents, with `---` between them. */
export function printYamlDocuments(values: readonly Json[]): string {
  return values.map(printYaml).join("---\n");
}

/** Reads all documents of a text, the empty ones as null. */
export function parseDocuments(
  source: string | Uint8Array,
  { duplicateKeys = "refuse" }: YamlOptions,
): readonly Json[] {
  const text = typeof source === "string" ? source : textOf(source);
  const regular = readBlockYaml(text);
  if (regular !== undefined) return regular;
  const { schema, lastKey } = kubernetesYaml();
  let documents: readonly Json[];
  try {
    const options = { schema, json: duplicateKeys === "last-wins", maxDepth: deepestJson, maxAliases: 10_000 };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every tag of the schema makes JSON
    documents = loadAll(text, options) as readonly Json[];
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? {} : { line: error.mark.line + 1 };
    if (error.reason !== "duplicated mapping key") throw new InvalidYamlError(error.reason, line);
    const problem = `key ${JSON.stringify(lastKey())} already set in map`;
    throw new InvalidYamlError(problem, { ...line, isDuplicateKey: true });
  }
  let budget = text.length + mostAdded;
  for (const document of documents) budget = checkSize(document, budget);
  return documents;
}

/** Aliases let a few lines stand for billions of values, or for a value inside itself; what is left of the budget. */
function checkSize(value: Json, budget: number, depth = 0): number {
  let left = budget - 1;
  if (left < 0) throw new InvalidYamlError("document contains excessive aliasing");
  if (typeof value === "number" && !Number.isFinite(value))
    throw new InvalidYamlError(`json: unsupported value: ${value}`);
  if (typeof value !== "object" || value === null) return left;
  if (depth === deepestJson) throw new JsonTooDeepError();
  for (const inside of Object.values<Json>(value)) left = checkSize(inside, left, depth + 1);
  return left;
}

function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new InvalidYamlError("invalid UTF-8");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
