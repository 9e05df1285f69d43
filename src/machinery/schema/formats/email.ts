const atomCharacter = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]$/u;

/** What Go's mail.ParseAddress accepts: `a@b`, `Name <a@b>` or a group of one, and a comment in parentheses. */
export function isEmail(text: string): boolean {
  const scanner = new Scanner(text);
  return scanner.readAddress() && scanner.atEnd();
}

class Scanner {
  readonly #text: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = Array.from(text);
  }

  readAddress(): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] === "<") return this.#readAngle();
    const start = this.#at;
    if (this.#readSpec()) return true;
    this.#at = start;
    if (!this.#readPhrase()) return false;
    return this.#take(":") ? this.#readGroup() : this.#readAngle();
  }

  /** `name: a@b;`, as long as it holds one address. */
  #readGroup(): boolean {
    this.#skipSpace();
    const start = this.#at;
    const read = this.#readSpec() || this.#readNamed(start);
    this.#skipSpace();
    return read && this.#take(";");
  }

  #readNamed(start: number): boolean {
    this.#at = start;
    this.#readPhrase();
    return this.#readAngle();
  }

  atEnd(): boolean {
    this.#skipSpace();
    while (this.#text[this.#at] === "(") if (!this.#readComment()) return false;
    return this.#at >= this.#text.length;
  }

  #readAngle(): boolean {
    this.#skipSpace();
    if (!this.#take("<")) return false;
    return this.#readSpec() && this.#take(">");
  }

  #readSpec(): boolean {
    this.#skipSpace();
    const local = this.#text[this.#at] === '"' ? this.#readQuoted() : this.#readDotAtom();
    if (!local || !this.#take("@")) return false;
    this.#skipSpace();
    return this.#text[this.#at] === "[" ? this.#readLiteral() : this.#readDotAtom();
  }

  #readPhrase(): boolean {
    let words = 0;
    for (;;) {
      this.#skipSpace();
      const read = this.#text[this.#at] === '"' ? this.#readQuoted() : this.#readAtom(".");
      if (!read) return words > 0;
      words++;
    }
  }

  #readDotAtom(): boolean {
    const start = this.#at;
    if (!this.#readAtom(".")) return false;
    const atom = this.#text.slice(start, this.#at).join("");
    return !atom.startsWith(".") && !atom.endsWith(".") && !atom.includes("..");
  }

  #readAtom(extra: string): boolean {
    const start = this.#at;
    while (this.#isAtom(extra)) this.#at++;
    return this.#at > start;
  }

  #isAtom(extra: string): boolean {
    const character = this.#text[this.#at];
    return character !== undefined && (character === extra || atomCharacter.test(character));
  }

  #readQuoted(): boolean {
    this.#at++;
    const start = this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    const length = this.#at - start;
    return this.#take('"') && length > 0;
  }

  #readLiteral(): boolean {
    this.#at++;
    while (this.#at < this.#text.length && /^[!-Z^-~]$/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#take("]");
  }

  #readComment(): boolean {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at];
      if (character === "\\") this.#at++;
      if (character === "(") depth++;
      if (character === ")") depth--;
      if (depth === 0) return this.#take(")");
    }
    return false;
  }

  #skipSpace(): void {
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at++;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}
