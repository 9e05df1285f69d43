import { CapstanError } from "#base";
import { describeFieldErrors } from "./field-error.ts";
import { type LabelRequirement, validateKey, validateValues } from "./label-requirement.ts";

/** A label selector that cannot be read, in the words of kube-apiserver. */
export class InvalidLabelSelectorError extends CapstanError {
  readonly code = "INVALID_LABEL_SELECTOR";
}

/** Reads the requirements of a label selector such as `app=web,tier in (a,b),!canary`. */
export function parseRequirements(text: string): readonly LabelRequirement[] {
  return new SelectorReader(text).readAll();
}

interface Token {
  readonly kind: "symbol" | "word" | "end";
  readonly text: string;
}

const token = /[ \t\r\n]*(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+)?/y;
const end: Token = { kind: "end", text: "" };

const operators: Readonly<Record<string, LabelRequirement["kind"]>> = {
  in: "in",
  notin: "not-in",
  "=": "equals",
  "==": "equals",
  "!=": "not-equals",
  ">": "greater-than",
  "<": "less-than",
};

class SelectorReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  readAll(): readonly LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#next.kind === "end") return requirements;
    if (!this.#startsRequirement()) throw unexpected(this.#next, "!, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.#readRequirement());
      const after = this.#take();
      if (after.kind === "end") return requirements;
      if (after.text !== ",") throw unexpected(after, "',' or 'end of string'");
      if (!this.#startsRequirement()) throw unexpected(this.#next, "identifier after ','");
    }
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  #take(): Token {
    const taken = this.#next;
    this.#at++;
    return taken;
  }

  #startsRequirement(): boolean {
    return this.#next.kind === "word" || this.#next.text === "!";
  }

  #readRequirement(): LabelRequirement {
    try {
      const requirement = this.#readParts();
      const errors = validateValues(requirement);
      if (errors.length > 0) throw new InvalidLabelSelectorError(describeFieldErrors(errors));
      return requirement;
    } catch (error) {
      if (!(error instanceof InvalidLabelSelectorError)) throw error;
      throw new InvalidLabelSelectorError(`unable to parse requirement: ${error.message}`);
    }
  }

  #readParts(): LabelRequirement {
    const isNegated = this.#next.text === "!";
    if (isNegated) this.#take();
    const key = this.#take();
    if (key.kind !== "word") throw unexpected(key, "identifier");
    const errors = validateKey(key.text, "<nil>");
    if (errors.length > 0) throw new InvalidLabelSelectorError(describeFieldErrors(errors));
    if (isNegated) return { kind: "does-not-exist", key: key.text };
    if (this.#next.kind === "end" || this.#next.text === ",") return { kind: "exists", key: key.text };
    return this.#readOperation(key.text);
  }

  #readOperation(key: string): LabelRequirement {
    const operator = this.#take();
    const kind = Object.hasOwn(operators, operator.text) ? operators[operator.text] : undefined;
    switch (kind) {
      case "in":
      case "not-in":
        return { kind, key, values: this.#readValues() };
      case "equals":
      case "not-equals":
      case "greater-than":
      case "less-than":
        return { kind, key, value: this.#readValue() };
      case "exists":
      case "does-not-exist":
      case undefined:
        throw unexpected(operator, "in, notin, =, ==, !=, gt, lt");
    }
  }

  /** One value; nothing at all is the empty one. */
  #readValue(): string {
    if (this.#next.kind === "end" || this.#next.text === ",") return "";
    const value = this.#take();
    if (value.kind !== "word") throw unexpected(value, "identifier");
    return value.text;
  }

  /** Values in parentheses; what is missing between two commas, or at an end, is the empty one. */
  #readValues(): readonly string[] {
    const open = this.#take();
    if (open.text !== "(") throw new InvalidLabelSelectorError(`found '${open.text}' expected: '('`);
    if (this.#next.kind !== "word" && this.#next.text !== "," && this.#next.text !== ")")
      throw unexpected(this.#next, "',', ')' or identifier");
    const values = new Set<string>();
    for (;;) {
      values.add(this.#next.kind === "word" ? this.#take().text : "");
      const after = this.#take();
      if (after.text === ")") return [...values].toSorted();
      if (after.text !== ",") throw unexpected(after, "',' or ')'");
    }
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  for (;;) {
    const [, found] = token.exec(text) ?? [];
    if (found === undefined) return tokens;
    tokens.push({ kind: /^[=!(),<>]/.test(found) ? "symbol" : "word", text: found });
  }
}

function unexpected(found: Token, expected: string): InvalidLabelSelectorError {
  return new InvalidLabelSelectorError(`found '${found.text}', expected: ${expected}`);
}
