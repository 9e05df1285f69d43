import type { SourceProblem } from "./source.ts";
import type { Expression, MapEntry, StructField } from "./ast.ts";
import { balanced } from "./balance.ts";
import { DepthGauge, deepestNesting, TooDeepError } from "./depth-gauge.ts";
import { endOfInput, type Token } from "./lexer.ts";
import { isProblem } from "./macro.ts";
import { NodeMaker } from "./node-maker.ts";
import { readLiteral } from "./literal.ts";
import type { SyntaxOptions } from "./syntax-options.ts";
import { operandStart, TokenStream } from "./token-stream.ts";

const relations: ReadonlySet<string> = new Set(["<", "<=", ">=", ">", "==", "!=", "in"]);
const sums: ReadonlySet<string> = new Set(["+", "-"]);
const products: ReadonlySet<string> = new Set(["*", "/", "%"]);
const operatorNames: Readonly<Record<string, string>> = { in: "@in" };
const reserved: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);
const afterMember: readonly string[] = [".", "["];
const nothing: ReadonlySet<string> = new Set();
const indexStart: ReadonlySet<string> = new Set([...operandStart, "?"]);
const argumentStart: ReadonlySet<string> = new Set([...operandStart, ")"]);
const listStart: ReadonlySet<string> = new Set([...operandStart, "?", ",", "]"]);
const mapStart: ReadonlySet<string> = new Set([...operandStart, "?", ",", "}"]);
const structStart: ReadonlySet<string> = new Set(["}", ",", "?", "IDENTIFIER", "ESC_IDENTIFIER"]);
const fieldStart: ReadonlySet<string> = new Set(["IDENTIFIER", "ESC_IDENTIFIER"]);
const listEnds: Readonly<Record<"]" | "}", ReadonlySet<string>>> = {
  "]": new Set(["]", ","]),
  "}": new Set(["}", ","]),
};

/** Reads one expression by recursive descent, following the grammar rule by rule. */
export class Parser {
  readonly #tokens: TokenStream;
  readonly #make = new NodeMaker();
  readonly #options: SyntaxOptions;
  readonly #gauge: DepthGauge;
  readonly #deepest: number;
  #depth = 0;

  constructor(source: string, options: SyntaxOptions) {
    this.#tokens = new TokenStream(source);
    this.#options = options;
    this.#deepest = options.deepest ?? deepestNesting;
    this.#gauge = new DepthGauge(this.#deepest);
  }

  get problems(): readonly SourceProblem[] {
    return this.#tokens.problems;
  }

  /** What was wrong up to the current token. */
  get problemsSoFar(): readonly SourceProblem[] {
    const { offset } = this.#tokens.current;
    return this.problems.filter((problem) => (problem.offset ?? 0) <= offset);
  }

  parseAll(): Expression {
    const expression = this.#expression();
    this.#tokens.expect(endOfInput, () => nothing);
    return expression;
  }

  #expression(): Expression {
    this.#depth += 1;
    if (this.#depth > this.#deepest) {
      throw new TooDeepError(`expression recursion limit exceeded: ${this.#deepest}`);
    }
    const condition = this.#or();
    const question = this.#tokens.accept("?");
    const expression = question === undefined ? condition : this.#conditional(condition, question);
    this.#depth -= 1;
    return expression;
  }

  #conditional(condition: Expression, question: Token): Expression {
    const whenTrue = this.#tokens.within([":"], () => this.#or());
    this.#tokens.expect(":", () => operandStart);
    const whenFalse = this.#expression();
    return this.#gauge.counted(this.#make.call(question.offset, "_?_:_", [condition, whenTrue, whenFalse]));
  }

  #or(): Expression {
    return this.#logic("||", "_||_", () => this.#logic("&&", "_&&_", () => this.#binary(relations, () => this.#sum())));
  }

  #sum(): Expression {
    return this.#binary(sums, () => this.#binary(products, () => this.#unary()));
  }

  #logic(mark: string, name: string, operand: () => Expression): Expression {
    const first = operand();
    if (!this.#tokens.is(mark)) return first;
    const terms = [first];
    const offsets: number[] = [];
    for (let token = this.#tokens.accept(mark); token !== undefined; token = this.#tokens.accept(mark)) {
      offsets.push(token.offset);
      terms.push(operand());
    }
    return balanced(terms, offsets, (left, right, offset) =>
      this.#gauge.plain(this.#make.call(offset, name, [left, right])),
    );
  }

  #binary(operators: ReadonlySet<string>, operand: () => Expression): Expression {
    let left = operand();
    while (operators.has(this.#tokens.current.kind)) {
      const { kind, offset } = this.#tokens.next();
      left = this.#gauge.counted(this.#make.call(offset, operatorNames[kind] ?? `_${kind}_`, [left, operand()]));
    }
    return left;
  }

  #unary(): Expression {
    if (!this.#tokens.sync(operandStart)) return this.#make.unspecified(this.#tokens.current.offset);
    if (this.#tokens.is("!")) return this.#prefixed("!", "!_");
    return this.#tokens.is("-") && !this.#isNegativeNumber() ? this.#prefixed("-", "-_") : this.#member();
  }

  /** Marks cancel out in pairs; the first one is where the call stands. */
  #prefixed(mark: "!" | "-", name: string): Expression {
    const { offset } = this.#tokens.current;
    let last = this.#tokens.current;
    let count = 0;
    while (this.#tokens.is(mark) && !this.#isNegativeNumber()) {
      last = this.#tokens.next();
      count += 1;
    }
    if (!operandStart.has(this.#tokens.current.kind) && !this.#tokens.isOperandAfterAll(last)) {
      return this.#make.unspecified(offset);
    }
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#gauge.plain(this.#make.call(offset, name, [operand]));
  }

  #isNegativeNumber(): boolean {
    if (!this.#tokens.is("-")) return false;
    const { kind } = this.#tokens.peek(1);
    return kind === "NUM_INT" || kind === "NUM_FLOAT";
  }

  #member(): Expression {
    let operand = this.#primary();
    for (;;) {
      const dot = this.#tokens.accept(".");
      if (dot !== undefined) {
        operand = this.#selection(operand, dot);
        continue;
      }
      const bracket = this.#tokens.accept("[");
      if (bracket === undefined) return operand;
      operand = this.#index(operand, bracket);
    }
  }

  #selection(operand: Expression, dot: Token): Expression {
    const optional = this.#tokens.accept("?") !== undefined;
    const name = this.#tokens.current;
    if (name.kind !== "IDENTIFIER" && name.kind !== "ESC_IDENTIFIER") return this.#noField(dot, optional);
    this.#tokens.next();
    if (name.kind === "IDENTIFIER" && !optional && this.#tokens.is("(")) return this.#call(name, operand);
    const field = this.#fieldName(name);
    if (!optional) {
      return this.#gauge.counted({
        kind: "select",
        id: this.#make.id(),
        offset: dot.offset,
        operand,
        field,
        testOnly: false,
      });
    }
    if (!this.#options.optionalSyntax) return this.#refuse(dot.offset, "unsupported syntax '.?'");
    const literal = this.#make.literal(name.offset, field);
    return this.#gauge.counted(this.#make.call(dot.offset, "_?._", [operand, literal]));
  }

  #noField(dot: Token, optional: boolean): Expression {
    const { offset } = this.#tokens.current;
    this.#tokens.refuseField(dot, optional);
    return optional ? this.#refuse(offset, "unsupported ident kind") : this.#make.unspecified(offset);
  }

  #fieldName(name: Token): string {
    if (name.kind === "IDENTIFIER") return name.text;
    if (!this.#options.quotedFields) this.#refuse(name.offset, "unsupported syntax: '`'");
    return name.text.slice(1, -1);
  }

  #index(operand: Expression, bracket: Token): Expression {
    if (!this.#tokens.sync(indexStart)) return this.#make.unspecified(bracket.offset);
    const optional = this.#tokens.accept("?") !== undefined;
    const index = this.#tokens.within(["]"], () => this.#expression());
    this.#tokens.expect("]", () => this.#afterOperand());
    if (optional && !this.#options.optionalSyntax) return this.#refuse(bracket.offset, "unsupported syntax '[?'");
    return this.#gauge.counted(this.#make.call(bracket.offset, optional ? "_[?_]" : "_[_]", [operand, index]));
  }

  #primary(): Expression {
    const token = this.#tokens.current;
    switch (token.kind) {
      case "(":
        return this.#nested();
      case "[":
        return this.#list();
      case "{":
        return this.#map();
      case ".":
      case "IDENTIFIER":
        return this.#named();
      default:
        return this.#literal();
    }
  }

  #nested(): Expression {
    this.#tokens.next();
    const expression = this.#tokens.within([")"], () => this.#expression());
    this.#tokens.expect(")", () => this.#afterOperand());
    return expression;
  }

  #literal(): Expression {
    const { offset } = this.#tokens.current;
    const sign = this.#tokens.accept("-");
    const token = this.#tokens.next();
    const read = readLiteral(token, sign !== undefined);
    return "problem" in read ? this.#refuse(offset, read.problem) : this.#make.literal(offset, read.value);
  }

  #list(): Expression {
    const { offset } = this.#tokens.next();
    const optional = new Set<number>();
    const elements: Expression[] = [];
    this.#tokens.within(["]", ","], () => {
      if (!this.#tokens.sync(listStart)) return;
      while (operandStart.has(this.#tokens.current.kind) || this.#tokens.is("?")) {
        const mark = this.#optionalMark();
        if (mark) optional.add(elements.length);
        elements.push(this.#expression());
        if (!this.#isListContinued("]")) break;
      }
    });
    this.#close("]");
    return this.#gauge.plain(this.#make.list(offset, elements, optional));
  }

  #map(): Expression {
    const { offset } = this.#tokens.next();
    const entries: MapEntry[] = [];
    this.#tokens.within(["}", ",", ":"], () => {
      if (!this.#tokens.sync(mapStart)) return;
      while (operandStart.has(this.#tokens.current.kind) || this.#tokens.is("?")) {
        const optional = this.#optionalMark();
        const known = this.problems.length;
        const key = this.#expression();
        const colon = this.#tokens.current.offset;
        this.#tokens.expect(":", () => operandStart);
        entries.push({ id: this.#make.id(), offset: colon, key, value: this.#expression(), optional });
        // The reference does not look into an entry whose mark it refuses.
        if (optional && !this.#options.optionalSyntax) this.#tokens.forget(known);
        if (!this.#isListContinued("}")) break;
      }
    });
    this.#close("}");
    return this.#gauge.plain({ kind: "map", id: this.#make.id(), offset, entries });
  }

  #struct(type: string): Expression {
    const { offset } = this.#tokens.next();
    const fields: StructField[] = [];
    this.#tokens.within(["}", ",", ":"], () => {
      if (!this.#tokens.sync(structStart)) return;
      while (this.#tokens.is("?") || this.#tokens.is("IDENTIFIER") || this.#tokens.is("ESC_IDENTIFIER")) {
        const optional = this.#optionalMark();
        if (!this.#tokens.sync(fieldStart)) break;
        const name = this.#fieldName(this.#tokens.next());
        const colon = this.#tokens.current.offset;
        this.#tokens.expect(":", () => operandStart);
        fields.push({ id: this.#make.id(), offset: colon, name, value: this.#expression(), optional });
        if (!this.#isListContinued("}")) break;
      }
    });
    this.#close("}");
    return this.#gauge.plain({ kind: "struct", id: this.#make.id(), offset, type, fields });
  }

  #optionalMark(): boolean {
    const mark = this.#tokens.accept("?");
    if (mark !== undefined && !this.#options.optionalSyntax) this.#refuse(mark.offset, "unsupported syntax '?'");
    return mark !== undefined;
  }

  /** Takes the comma before a further element; one before the closing mark is left for that. */
  #isListContinued(closer: string): boolean {
    const { kind } = this.#tokens.peek(1);
    if (!this.#tokens.is(",") || kind === closer || kind === ",") return false;
    this.#tokens.next();
    return true;
  }

  #close(closer: "]" | "}"): void {
    if (!this.#tokens.sync(listEnds[closer])) return;
    this.#tokens.accept(",");
    this.#tokens.expect(closer, () => this.#afterOperand());
  }

  #named(): Expression {
    const dot = this.#tokens.accept(".");
    const name = this.#tokens.current;
    if (name.kind !== "IDENTIFIER") {
      this.#tokens.refuseField(dot ?? name, false);
      return this.#make.unspecified(name.offset);
    }
    const struct = this.#structName();
    if (struct !== undefined) return this.#struct((dot === undefined ? "" : ".") + struct);
    this.#tokens.next();
    if (reserved.has(name.text)) {
      if (this.#tokens.is("(")) this.#callArguments();
      return this.#refuse(dot?.offset ?? name.offset, `reserved identifier: ${name.text}`);
    }
    const text = dot === undefined ? name.text : `.${name.text}`;
    if (this.#tokens.is("(")) return this.#call({ ...name, text }, undefined);
    return this.#make.identifier(name.offset, text);
  }

  /** The name before a brace, if what stands here is one: `a.b.C{`. */
  #structName(): string | undefined {
    let ahead = 1;
    const names = [this.#tokens.current.text];
    while (this.#tokens.peek(ahead).kind === "." && this.#tokens.peek(ahead + 1).kind === "IDENTIFIER") {
      names.push(this.#tokens.peek(ahead + 1).text);
      ahead += 2;
    }
    if (this.#tokens.peek(ahead).kind !== "{") return undefined;
    for (let taken = 0; taken < ahead; taken++) this.#tokens.next();
    return names.join(".");
  }

  #call(name: Token, target: Expression | undefined): Expression {
    const { offset } = this.#tokens.current;
    const parts = this.#callArguments();
    const macro = this.#options.macros.find({
      name: name.text,
      receiver: target !== undefined,
      argumentCount: parts.length,
    });
    const height = this.#gauge.tallest(target === undefined ? parts : [target, ...parts]);
    const expanded =
      macro === undefined
        ? { ...this.#make.call(offset, name.text, parts), target }
        : macro.expand({ make: this.#make, offset, target, arguments: parts });
    if (isProblem(expanded)) return this.#refuse(expanded.at.offset, expanded.problem);
    return this.#gauge.measured(expanded, target === undefined ? height : height + 1);
  }

  #callArguments(): readonly Expression[] {
    this.#tokens.next();
    const parts: Expression[] = [];
    this.#tokens.within([")", ","], () => {
      if (!this.#tokens.sync(argumentStart) || this.#tokens.is(")")) return;
      parts.push(this.#expression());
      while (this.#tokens.accept(",") !== undefined) parts.push(this.#expression());
    });
    this.#tokens.expect(")", () => this.#afterOperand());
    return parts;
  }

  #afterOperand(): ReadonlySet<string> {
    return new Set([...this.#tokens.follow, ...afterMember]);
  }

  #refuse(offset: number, message: string): Expression {
    this.#tokens.problems.push({ offset, message });
    return this.#make.unspecified(offset);
  }
}
