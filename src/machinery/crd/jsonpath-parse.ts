import { CapstanError } from "#base";

/** A JSONPath template that cannot be read, or that cannot be applied to a value. */
export class JsonPathError extends CapstanError {
  readonly code = "INVALID_JSON_PATH";
}

/** A piece of a JSONPath. A template is a list of texts and of actions, which are lists themselves. */
export type PathNode =
  | { readonly kind: "action"; readonly nodes: readonly PathNode[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "literal"; readonly value: number | boolean }
  | { readonly kind: "identifier"; readonly name: string }
  | { readonly kind: "wildcard" }
  | { readonly kind: "recursive" }
  | { readonly kind: "slice"; readonly slice: Slice }
  | { readonly kind: "union"; readonly members: readonly (readonly PathNode[])[] }
  | { readonly kind: "filter"; readonly filter: Filter };

/** `[start:end:step]`; an end that was not written follows from the start. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly isSingle: boolean;
  readonly step: number | undefined;
}

export interface Filter {
  readonly left: readonly PathNode[];
  readonly operator: string;
  readonly right: readonly PathNode[];
}

/** Reads a template such as `{.spec.name}` or `{range .items[*]}{.name}{end}`. */
export function parseTemplate(template: string): readonly PathNode[] {
  const nodes: PathNode[] = [];
  let rest = template;
  while (rest !== "") {
    const open = rest.indexOf("{");
    if (open !== 0) nodes.push({ kind: "text", text: open < 0 ? rest : rest.slice(0, open) });
    if (open < 0) break;
    const reader = new ActionReader(rest.slice(open + 1));
    nodes.push({ kind: "action", nodes: reader.readAction() });
    rest = reader.rest;
  }
  return nodes;
}

function parseInside(text: string): readonly PathNode[] {
  return new ActionReader(`${text}}`).readAction();
}

class ActionReader {
  #rest: string;
  readonly #nodes: PathNode[] = [];

  constructor(text: string) {
    this.#rest = text;
  }

  /** What follows the action. */
  get rest(): string {
    return this.#rest;
  }

  readAction(): readonly PathNode[] {
    for (;;) {
      if (this.#take("}") !== undefined) return this.#nodes;
      this.#readNode();
    }
  }

  #readNode(): void {
    const [first = ""] = this.#rest;
    if (first === "" || first === "\n" || first === "\r") throw new JsonPathError("unclosed action");
    if (this.#take("[?(") !== undefined) this.#readFilter();
    else if (this.#take("..") !== undefined) this.#readRecursive();
    else if (first === " " || first === "@" || first === "$") this.#skip(1);
    else if (first === "[") this.#readBrackets();
    else if (first === '"' || first === "'") this.#readQuoted(first);
    else if (this.#take(".") !== undefined) this.#readField();
    else if (/[+\-0-9]/.test(first)) this.#readNumber();
    else if (/[_\p{L}\p{Nd}]/u.test(first)) this.#readIdentifier();
    else throw new JsonPathError(`unrecognized character in action: ${describeCharacter(this.#rest)}`);
  }

  #readField(): void {
    const [name = ""] = /^(?:\\[\s\S]|[^\s.,[\]$@{}\\])*/.exec(this.#rest) ?? [];
    this.#skip(name.length);
    this.#nodes.push(name === "*" ? { kind: "wildcard" } : { kind: "field", name: name.replaceAll("\\", "") });
  }

  #readRecursive(): void {
    if (this.#nodes.at(-1)?.kind === "recursive") throw new JsonPathError("invalid multiple recursive descent");
    this.#nodes.push({ kind: "recursive" });
    if (/^[_\p{L}\p{Nd}]/u.test(this.#rest)) this.#readField();
  }

  #readNumber(): void {
    const [text = ""] = /^[+-]?[.\d]*/.exec(this.#rest) ?? [];
    this.#skip(text.length);
    const value = Number(text);
    if (!/\d/.test(text) || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    this.#nodes.push({ kind: "literal", value });
  }

  #readIdentifier(): void {
    const [name = ""] = /^[^\s.,[\]$@{}]*/.exec(this.#rest) ?? [];
    this.#skip(name.length);
    const isBoolean = name === "true" || name === "false";
    this.#nodes.push(isBoolean ? { kind: "literal", value: name === "true" } : { kind: "identifier", name });
  }

  #readQuoted(quote: string): void {
    const pattern = quote === '"' ? /^"((?:[^"\\\n]|\\[^\n])*)"/ : /^'((?:[^'\\\n]|\\[^\n])*)'/;
    const [all, inside = ""] = pattern.exec(this.#rest) ?? [];
    if (all === undefined) throw new JsonPathError("unterminated quoted string");
    this.#skip(all.length);
    this.#nodes.push({ kind: "text", text: unescape(inside) });
  }

  #readBrackets(): void {
    const [all, inside = ""] = /^\[([^\]\n]*)\]/.exec(this.#rest) ?? [];
    if (all === undefined) throw new JsonPathError("unterminated array");
    this.#skip(all.length);
    const parts = inside.split(",");
    if (parts.length > 1) {
      this.#nodes.push({ kind: "union", members: parts.map((part) => parseInside(`[${part.trim()}]`)) });
      return;
    }
    const [, key] = /^'([^']*)'$/.exec(inside) ?? [];
    if (key === undefined) this.#nodes.push({ kind: "slice", slice: parseSlice(inside === "*" ? ":" : inside) });
    else this.#nodes.push(...parseInside(`.${key}`));
  }

  #readFilter(): void {
    const text = this.#untilParenthesis();
    if (this.#take("]") === undefined) throw new JsonPathError("unclosed array expect ]");
    const [, left, operator = "", right = ""] = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text) ?? [];
    const filter =
      left === undefined
        ? { left: parseInside(text), operator: "exists", right: [] }
        : { left: parseInside(left), operator, right: parseInside(right) };
    this.#nodes.push({ kind: "filter", filter });
  }

  /** Up to the parenthesis that is not inside of quotes. */
  #untilParenthesis(): string {
    let quote: string | undefined;
    for (let index = 0; index < this.#rest.length; index++) {
      const character = this.#rest[index];
      if (character === "\n") break;
      if (character === ")" && quote === undefined) {
        const text = this.#rest.slice(0, index);
        this.#skip(index + 1);
        return text;
      }
      if (quote === undefined && (character === '"' || character === "'")) quote = character;
      else if (character === quote && this.#rest[index - 1] !== "\\") quote = undefined;
    }
    throw new JsonPathError("unterminated filter");
  }

  #take(text: string): string | undefined {
    if (!this.#rest.startsWith(text)) return undefined;
    this.#skip(text.length);
    return text;
  }

  #skip(length: number): void {
    this.#rest = this.#rest.slice(length);
  }
}

function parseSlice(text: string): Slice {
  const match = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text);
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
  const [, first = "", second, third] = match;
  const start = numberIn(first);
  if (second === undefined) return { start, end: (start ?? 0) + 1, isSingle: true, step: undefined };
  return { start, end: numberIn(second), isSingle: false, step: numberIn(third ?? "") };
}

function numberIn(text: string): number | undefined {
  if (text === "") return undefined;
  if (text === "-") throw new JsonPathError(`array index ${text} is not a number`);
  return Number(text);
}

function unescape(text: string): string {
  const known: { readonly [escape: string]: string } = { n: "\n", t: "\t", r: "\r" };
  return text.replaceAll(/\\(.)/g, (_, character: string) => known[character] ?? character);
}

function describeCharacter(text: string): string {
  const point = text.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")} '${String.fromCodePoint(point)}'`;
}
