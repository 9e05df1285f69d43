/** A piece of TypeScript: a word, the content of a text literal, or a sign. Comments and blanks are left out. */
export interface Token {
  readonly kind: "word" | "text" | "sign";
  readonly value: string;
  readonly line: number;
}

const blankOrComment = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const plainText = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
const templateText = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(`|\$\{)/y;
const regularExpression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const word = /[\p{L}\p{N}_$#]+/uy;

// After these a slash starts a regular expression; after any other word, a number or a closing bracket it divides.
const wordsBeforeExpression = new Set([
  "return",
  "case",
  "typeof",
  "of",
  "in",
  "await",
  "yield",
  "void",
  "throw",
  "else",
]);

/** Cuts a source text into tokens, well enough to see imports and calls without being fooled by texts and comments. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  // For each template literal that is open: how many braces are open inside its current `${`.
  const openBraces: number[] = [];
  let position = 0;
  let line = 1;

  while (position < source.length) {
    const depth = openBraces.at(-1);
    if (take(blankOrComment)) continue;
    if (source[position] === "`") readTemplate();
    else if (source[position] === "}" && depth === 0) {
      openBraces.pop();
      readTemplate();
    } else {
      const text = take(plainText);
      if (text !== undefined) add("text", text.slice(1, -1));
      else if (source[position] === "/" && startsExpression(tokens.at(-1)) && take(regularExpression)) add("text", "");
      else readWordOrSign(depth);
    }
  }
  return tokens;

  function readWordOrSign(depth: number | undefined): void {
    const name = take(word);
    if (name !== undefined) {
      add("word", name);
      return;
    }
    const sign = source[position] ?? "";
    if (depth !== undefined && sign === "{") openBraces[openBraces.length - 1] = depth + 1;
    if (depth !== undefined && sign === "}") openBraces[openBraces.length - 1] = depth - 1;
    add("sign", sign);
    position += 1;
  }

  function readTemplate(): void {
    position += 1;
    const text = take(templateText);
    if (text === undefined) {
      position = source.length;
      return;
    }
    if (text.endsWith("${")) openBraces.push(0);
    add("text", text.endsWith("${") ? text.slice(0, -2) : text.slice(0, -1));
  }

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = position;
    const taken = pattern.exec(source)?.[0];
    if (taken === undefined) return undefined;
    position += taken.length;
    line += taken.split("\n").length - 1;
    return taken;
  }

  function add(kind: Token["kind"], value: string): void {
    tokens.push({ kind, value, line });
  }
}

function startsExpression(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === "word") return wordsBeforeExpression.has(previous.value);
  return previous.kind === "sign" && ![")", "]", "}"].includes(previous.value);
}
