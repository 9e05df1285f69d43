import type { SourceProblem } from "./source.ts";
import { endOfInput, type Token, tokenize } from "./lexer.ts";

// The order in which the grammar declares its tokens, in which error texts list them.
const order = [
  endOfInput,
  "[",
  "]",
  "{",
  "}",
  "(",
  ")",
  ".",
  ",",
  "-",
  "!",
  "?",
  ":",
  "true",
  "false",
  "null",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
];

const classes: ReadonlySet<string> = new Set([
  endOfInput,
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
]);

/** The kinds of token with which an expression can begin. */
export const operandStart: ReadonlySet<string> = new Set([
  "[",
  "{",
  "(",
  ".",
  "-",
  "!",
  "true",
  "false",
  "null",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
]);

const operators = ["==", "!=", "<", "<=", ">=", ">", "in", "*", "/", "%", "+", "-", "&&", "||", "?"];

/**
 * The tokens of an expression with the error recovery of the reference parser: one surplus token is dropped, one missing
 * token is made up, and after any other error nothing is reported until a token fits again.
 */
export class TokenStream {
  readonly problems: SourceProblem[];
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #closers: (readonly string[])[] = [];
  #position = 0;
  #recovering = false;

  constructor(source: string) {
    const { tokens, problems } = tokenize(source);
    this.#source = source;
    this.#tokens = tokens;
    this.problems = [...problems];
  }

  get current(): Token {
    return this.peek(0);
  }

  peek(ahead: number): Token {
    const token = this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)];
    // The list always ends with the end of input, so there is a token at every valid position.
    return token ?? { kind: endOfInput, text: endOfInput, offset: 0 };
  }

  is(kind: string): boolean {
    return this.current.kind === kind;
  }

  next(): Token {
    const token = this.current;
    this.#position += 1;
    this.#recovering = false;
    return token;
  }

  /** Takes a token of a kind if it stands here. */
  accept(kind: string): Token | undefined {
    return this.is(kind) ? this.next() : undefined;
  }

  /** Runs with more kinds of token allowed to end an operand. */
  within<T>(closers: readonly string[], parse: () => T): T {
    this.#closers.push(closers);
    const result = parse();
    this.#closers.pop();
    return result;
  }

  /** Takes the one token that may stand here; `after` tells the kinds that may follow it, should it be missing. */
  expect(kind: string, after: () => ReadonlySet<string>): void {
    if (this.accept(kind) !== undefined) return;
    if (this.peek(1).kind === kind) {
      this.#report(`extraneous input '${this.current.text}' expecting ${list([kind])}`);
      this.#position += 1;
      this.next();
    } else if (after().has(this.current.kind)) {
      this.#report(`missing ${list([kind])} at '${this.current.text}'`);
      this.#recovering = true;
    } else {
      this.#report(`mismatched input '${this.current.text}' expecting ${list([kind])}`);
      this.#recover();
    }
  }

  /** True where one of some kinds stands, after dropping one surplus token if that helps. */
  sync(kinds: ReadonlySet<string>): boolean {
    if (kinds.has(this.current.kind)) return true;
    if (kinds.has(this.peek(1).kind) && !this.is(endOfInput)) {
      this.#report(`extraneous input '${this.current.text}' expecting ${list([...kinds])}`);
      this.#position += 1;
      return true;
    }
    this.#report(`mismatched input '${this.current.text}' expecting ${list([...kinds])}`);
    this.#recover();
    return false;
  }

  /** What may follow a whole operand here. */
  get follow(): ReadonlySet<string> {
    return new Set([endOfInput, ...operators, ...this.#closers.flat()]);
  }

  /** Reports that no field name follows a dot. */
  refuseField(dot: Token, optional: boolean): void {
    const { kind, text } = this.current;
    const isWord = kind === "true" || kind === "false" || kind === "null";
    if (optional) this.#fail(`mismatched input '${text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`);
    else if (isWord) this.#fail(`mismatched input '${text}' expecting IDENTIFIER`);
    else this.#fail(`no viable alternative at input '${this.#textFrom(dot)}'`);
  }

  /** Reports that no operand follows a mark; after a minus the reference reports it twice, and drops a surplus token. */
  isOperandAfterAll(mark: Token): boolean {
    if (mark.kind === "!") {
      this.#fail(`extraneous input '${this.current.text}' expecting ${list([...operandStart])}`);
      return false;
    }
    const message = `Syntax error: no viable alternative at input '${this.#textFrom(mark)}'`;
    this.problems.push({ offset: this.current.offset, message });
    return this.sync(operandStart);
  }

  /** The source from a token up to the current one. */
  #textFrom(start: Token): string {
    const { kind, text, offset } = this.current;
    return kind === endOfInput ? start.text : this.#source.slice(start.offset, offset + text.length);
  }

  /** Takes back what was wrong beyond the syntax since so many problems were known. */
  forget(known: number): void {
    const later = this.problems.splice(known).filter(({ message }) => message.startsWith("Syntax error"));
    this.problems.push(...later);
  }

  #fail(message: string): void {
    this.#report(message);
    this.#recover();
  }

  #report(message: string): void {
    if (this.#recovering) return;
    this.problems.push({ offset: this.current.offset, message: `Syntax error: ${message}` });
    this.#recovering = true;
  }

  #recover(): void {
    this.#recovering = true;
    const { follow } = this;
    while (!follow.has(this.current.kind)) this.#position += 1;
  }
}

function list(kinds: readonly string[]): string {
  const texts = kinds
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((kind) => (classes.has(kind) ? kind : `'${kind}'`));
  return texts.length === 1 ? String(texts[0]) : `{${texts.join(", ")}}`;
}
