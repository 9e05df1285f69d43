import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  type JsonSchema,
  PrintedValue,
  type ValidationRule,
} from "#machinery";
import { capped, limitless } from "../cost/range.ts";
import { compatibilityVersion, everyVersion, kubernetesEnvironment, type MinorVersion } from "../kubernetes.ts";
import { compileRule } from "./compile-rule.ts";
import { CostTotal, costMessage, expressionLimit } from "./cost-total.ts";
import { type DeclaredType, declareType, largestRequest } from "./declared-type.ts";
import { escapeName } from "./escape.ts";
import { StructFields } from "./struct-fields.ts";
import { isEmbedded, itemsOf, sortedProperties, valuesOf } from "./structure.ts";
import { type RuleWords, wordsOfCrds } from "./rule-words.ts";

/** What checking rules can take into account besides the schema. */
export interface CheckRulesOptions {
  /** True for the root of a custom resource and of a variable. */
  readonly isResource?: boolean;
  /** What new expressions may use. */
  readonly version?: MinorVersion;
  /** The schema before the change: expressions that it has already may go on using everything. */
  readonly oldSchema?: JsonSchema;
  /** How errors are worded; Cluster API words those of variables in its own way. */
  readonly words?: RuleWords;
  /** What else is to be checked at every place on the way. */
  readonly checks?: PlaceChecks;
}

/** Checks of a caller that belong between those of the rules. */
export interface PlaceChecks {
  /** What is wrong with a place before anybody looks below it; `closed` keeps everybody from looking. */
  readonly enter: (schema: JsonSchema, path: FieldPath) => { readonly errors: readonly FieldError[]; closed?: boolean };
  /** What is wrong with a place after those below it, and before its rules. */
  readonly leave: (schema: JsonSchema, path: FieldPath) => readonly FieldError[];
  /** What rules say about values that the schema itself has; asked where rules, place and all below are fine. */
  readonly values: (schema: JsonSchema, path: FieldPath) => readonly FieldError[];
}

const noChecks: PlaceChecks = { enter: () => ({ errors: [] }), leave: () => [], values: () => [] };

/** Checks the rules of a structural schema: that they are complete, compile, and cannot cost too much. */
export function checkRules(schema: JsonSchema, path: FieldPath, options: CheckRulesOptions = {}): FieldError[] {
  const { isResource = true } = options;
  const check = new RuleCheck(path, options);
  check.visit(schema, {
    path,
    declared: undefined,
    isResource,
    cardinality: 1n,
    uncorrelated: undefined,
    inScope: false,
  });
  return check.finish();
}

interface Place {
  readonly path: FieldPath;
  /** Known where a rule stands here or above. */
  readonly declared: DeclaredType | undefined;
  readonly isResource: boolean;
  /** How often there can be a value for this place; undefined where nothing bounds it. */
  readonly cardinality: bigint | undefined;
  /** Where the outermost list is whose elements have no counterpart in the old object. */
  readonly uncorrelated: FieldPath | undefined;
  readonly inScope: boolean;
}

class RuleCheck {
  readonly #root: FieldPath;
  readonly #version: MinorVersion;
  readonly #stored: ReadonlySet<string>;
  readonly #words: RuleWords;
  readonly #checks: PlaceChecks;
  readonly #shape: FieldError[] = [];
  readonly #errors: FieldError[] = [];
  readonly #total = new CostTotal();
  readonly #fields = new StructFields();
  #typeCount = 0;

  constructor(root: FieldPath, options: CheckRulesOptions) {
    const { version = compatibilityVersion, oldSchema, words = wordsOfCrds, checks = noChecks } = options;
    this.#root = root;
    this.#version = version;
    this.#stored = new Set(oldSchema === undefined ? [] : expressionsOf(oldSchema));
    this.#words = words;
    this.#checks = checks;
  }

  finish(): FieldError[] {
    return [...this.#shape, ...this.#errors, ...this.#total.errors(this.#root, this.#words)];
  }

  /** Places below come first, then the rules of the place itself, if nothing is wrong so far. */
  visit(schema: JsonSchema, place: Place): void {
    const { path } = place;
    const found = { shape: this.#shape.length, errors: this.#errors.length };
    const { errors, closed = false } = this.#checks.enter(schema, path);
    for (const error of errors) this.#shape.push(error);
    if (closed) return;
    const rules = schema["x-kubernetes-validations"] ?? [];
    const declared = place.declared ?? (rules.length > 0 || place.inScope ? this.#declare(schema, place) : undefined);
    const here = { ...place, declared, inScope: place.inScope || rules.length > 0 };
    this.#visitBelow(schema, here);
    for (const error of this.#checks.leave(schema, path)) this.#shape.push(error);
    for (const [index, rule] of rules.entries()) {
      this.#shape.push(...this.#words.shapeErrors(rule, path.child("x-kubernetes-validations").index(index), schema));
    }
    if (this.#shape.length > found.shape || rules.length === 0) return;
    this.#checkCompiled(schema, here, rules);
    if (this.#errors.length > found.errors) return;
    for (const error of this.#checks.values(schema, path)) this.#errors.push(error);
  }

  #visitBelow(schema: JsonSchema, place: Place): void {
    const { path, declared } = place;
    const next = { ...place, cardinality: cardinalityBelow(schema, place.cardinality) };
    const values = valuesOf(schema);
    if (values !== undefined) {
      const element = { declared: declared?.element, isResource: isEmbedded(values) };
      this.visit(values, { ...next, ...element, path: path.child("additionalProperties") });
    }
    for (const [name, property] of sortedProperties(schema)) {
      const escaped = declared === undefined ? undefined : escapeName(name);
      const field = escaped === undefined ? undefined : declared?.fields?.get(escaped);
      const inner = { declared: field, isResource: isEmbedded(property) };
      this.visit(property, { ...next, ...inner, path: path.child("properties").key(name) });
    }
    const items = itemsOf(schema);
    if (items === undefined) return;
    const isCorrelated = schema["x-kubernetes-list-type"] === "map";
    this.visit(items, {
      ...next,
      path: path.child("items"),
      declared: declared?.element,
      isResource: isEmbedded(items),
      uncorrelated: place.uncorrelated ?? (isCorrelated ? undefined : this.#words.uncorrelatedAt(path)),
    });
  }

  #declare(schema: JsonSchema, { isResource }: Place): DeclaredType | undefined {
    this.#typeCount += 1;
    const name = this.#typeCount === 1 ? "selfType" : `selfType${this.#typeCount}`;
    const declared = declareType(schema, { name, isResource });
    if (declared !== undefined) this.#fields.add(declared);
    return declared;
  }

  #checkCompiled(schema: JsonSchema, place: Place, rules: readonly ValidationRule[]): void {
    const at = place.path.child("x-kubernetes-validations");
    const { declared } = place;
    if (declared === undefined) {
      const problem = "unable to convert structural schema to CEL declarations";
      const detail = `internal error: failed to construct type information for x-kubernetes-validations rules: ${problem}`;
      this.#errors.push({ type: "InternalError", field: at.toString(), value: "", detail });
      return;
    }
    for (const [index, rule] of rules.entries()) {
      this.#checkRule(rule, { ...place, declared, schema, at: at.index(index) });
    }
  }

  #checkRule(rule: ValidationRule, place: RulePlace): void {
    const { at, declared, schema } = place;
    const compiled = compileRule(rule, {
      schema,
      declared,
      fieldsOf: (name) => this.#fields.of(name),
      environmentFor: (expression) =>
        kubernetesEnvironment(this.#stored.has(expression) ? everyVersion : this.#version),
    });
    if (compiled === undefined) return;
    const { expression, message, usesOldSelf } = compiled;
    const isSound = !("problem" in expression);
    const times = place.cardinality ?? BigInt(Math.floor(largestRequest / (declared.leastBytes + 1)));
    this.#observe(at.child("rule"), isSound ? capped(expression.mostCost * times) : 0n, "estimated rule cost");
    if (!isSound) this.#errors.push(invalid(at.child("rule"), printedRule(rule), expression.problem));
    if (message !== undefined) this.#checkMessage(rule, message, at.child("messageExpression"));
    if (usesOldSelf && place.uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated.toString()}`;
      this.#errors.push(invalid(at.child("rule"), rule.rule, detail));
    }
    if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const detail = "may not be set if oldSelf is not used in rule";
      this.#errors.push(invalid(at.child("optionalOldSelf"), rule.optionalOldSelf, detail));
    }
  }

  #checkMessage(
    rule: ValidationRule,
    message: { readonly mostCost: bigint } | { readonly problem: string },
    at: FieldPath,
  ): void {
    if ("problem" in message) this.#errors.push(invalid(at, printedRule(rule), message.problem));
    else this.#observe(at, message.mostCost, "estimated messageExpression cost");
  }

  #observe(at: FieldPath, cost: bigint, name: string): void {
    if (cost > expressionLimit) this.#errors.push(forbidden(at, costMessage(name, cost, expressionLimit)));
    this.#total.observe(at, cost);
  }
}

interface RulePlace extends Place {
  readonly at: FieldPath;
  readonly schema: JsonSchema;
  readonly declared: DeclaredType;
}

/** How often there can be a value below a schema for each value of it. */
function cardinalityBelow(schema: JsonSchema, cardinality: bigint | undefined): bigint | undefined {
  if (cardinality === undefined) return undefined;
  const isMap = schema.type === "object" && schema.additionalProperties !== undefined;
  if (!isMap && schema.type !== "array") return cardinality;
  const most = isMap ? schema.maxProperties : schema.maxItems;
  if (most === undefined) return undefined;
  const product = cardinality * BigInt(Math.max(0, most));
  return product > limitless ? limitless : product;
}

/** The rule as the reference prints it: every field under its name in Go, the empty ones too. */
function printedRule(rule: ValidationRule): PrintedValue {
  const fields = {
    Rule: rule.rule,
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  return new PrintedValue(JSON.stringify(fields));
}

/** All expressions of a schema, wherever they stand. */
function expressionsOf(schema: JsonSchema): readonly string[] {
  const own = (schema["x-kubernetes-validations"] ?? []).flatMap(({ rule, messageExpression = "" }) => [
    rule,
    messageExpression,
  ]);
  const parts = [
    ...sortedProperties(schema).map(([, property]) => property),
    ...(schema.allOf ?? []),
    ...[itemsOf(schema), valuesOf(schema)].filter((part) => part !== undefined),
  ];
  return [...own, ...parts.flatMap(expressionsOf)];
}
