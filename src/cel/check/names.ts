import type { FunctionDeclaration } from "./declaration.ts";
import { type Type, typeType } from "./type.ts";

/** Finds what names mean inside a container: in `a.b`, `x` is `a.b.x`, else `a.x`, else `x`. */
export class Names {
  readonly container: string;
  readonly #functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly #types: ReadonlyMap<string, Type>;

  constructor(
    container: string,
    declared: {
      readonly functions: ReadonlyMap<string, FunctionDeclaration>;
      readonly types: ReadonlyMap<string, Type>;
    },
  ) {
    this.container = container;
    this.#functions = declared.functions;
    this.#types = declared.types;
  }

  candidates(name: string): readonly string[] {
    if (name.startsWith(".")) return [name.slice(1)];
    if (this.container === "") return [name];
    const parts = this.container.split(".");
    const prefixes = parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
    return [...prefixes.map((prefix) => `${prefix}.${name}`), name];
  }

  findFunction(name: string): FunctionDeclaration | undefined {
    if (this.container === "" && !name.startsWith(".")) return this.#functions.get(name);
    for (const candidate of this.candidates(name)) {
      const found = this.#functions.get(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The type of the name of a type, which is a value too. */
  constantType(name: string): Type | undefined {
    const type = this.#types.get(name);
    return type === undefined ? undefined : typeType(type);
  }
}
