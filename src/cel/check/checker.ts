import type { Comprehension, Expression, ListLiteral, MapLiteral, Select, StructLiteral } from "../syntax/ast.ts";
import { qualifiedName } from "../syntax/ast.ts";
import type { SourceProblem } from "../syntax/source.ts";
import type { FunctionDeclaration, Overload } from "./declaration.ts";
import type { Names } from "./names.ts";
import { resolveOverloads } from "./overloads.ts";
import {
  boolType,
  describeType,
  dynType,
  errorType,
  intType,
  isOptionalType,
  listType,
  mapType,
  optionalType,
  parameterType,
  type Type,
  unwrapOptional,
} from "./type.ts";
import { literalType } from "./literal-type.ts";
import { mostGeneral, Substitution } from "./unify.ts";

/** What the checker found out about an expression. */
export interface Checked {
  readonly problems: readonly SourceProblem[];
  /** The types of nodes by id. */
  readonly types: readonly (Type | undefined)[];
  /** The signatures that a call may turn out to use, by id. */
  readonly overloads: readonly (readonly Overload[] | undefined)[];
  /** The declared names that identifiers and dotted names refer to, by id. */
  readonly references: readonly (string | undefined)[];
}

/** What surrounds an expression for the checker. */
export interface CheckScope {
  readonly names: Names;
  readonly variables: ReadonlyMap<string, Type>;
  /** The fields of struct types. */
  readonly fieldsOf: (type: string) => ReadonlyMap<string, Type> | undefined;
  /** `1 < 1.5` is allowed. */
  readonly crossTypeComparisons: boolean;
}

/** Finds the type of every node, and every place where types do not fit. */
export function check(expression: Expression, scope: CheckScope): Checked {
  const checker = new Checker(scope);
  checker.check(expression);
  return checker.finish();
}

class Checker {
  readonly #scope: CheckScope;
  readonly #substitution = new Substitution();
  readonly #problems: SourceProblem[] = [];
  readonly #types: (Type | undefined)[] = [];
  readonly #overloads: (readonly Overload[] | undefined)[] = [];
  readonly #references: (string | undefined)[] = [];
  readonly #locals: { readonly name: string; readonly type: Type }[] = [];
  #parameterCount = 0;

  constructor(scope: CheckScope) {
    this.#scope = scope;
  }

  finish(): Checked {
    const types = this.#types.map((type) =>
      type === undefined ? undefined : this.#substitution.resolve(type, { openToDyn: true }),
    );
    return { problems: this.#problems, types, overloads: this.#overloads, references: this.#references };
  }

  check(node: Expression): Type {
    const type = this.#typeOf(node);
    this.#types[node.id] = type;
    return type;
  }

  #typeOf(node: Expression): Type {
    switch (node.kind) {
      case "literal":
        return literalType(node.value);
      case "identifier":
        return this.#reference(node, node.name) ?? this.#undeclared(node, node.name);
      case "select":
        return this.#select(node);
      case "call":
        return node.name === "_?._" ? this.#optionalSelect(node) : this.#call(node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "struct":
        return this.#struct(node);
      case "comprehension":
        return this.#comprehension(node);
      case "unspecified":
        return errorType;
    }
  }

  #reference(node: Expression, name: string): Type | undefined {
    const local = this.#locals.findLast((variable) => variable.name === name);
    if (local !== undefined) {
      this.#references[node.id] = name;
      return local.type;
    }
    for (const candidate of this.#scope.names.candidates(name)) {
      const type = this.#scope.variables.get(candidate) ?? this.#scope.names.constantType(candidate);
      if (type === undefined) continue;
      this.#references[node.id] = candidate;
      return type;
    }
    return undefined;
  }

  #select(node: Select): Type {
    const name = qualifiedName(node);
    const known = name === undefined || this.#isShadowed(name) ? undefined : this.#reference(node, name);
    if (known !== undefined) return known;
    const type = this.#field(node, node.operand, node.field);
    return node.testOnly ? boolType : this.#substitution.resolve(type);
  }

  /** A name that begins with the variable of a loop is a field of that variable, never a declared dotted name. */
  #isShadowed(name: string): boolean {
    const [first] = name.split(".", 1);
    return this.#locals.some((variable) => variable.name === first);
  }

  #optionalSelect(node: Extract<Expression, { kind: "call" }>): Type {
    const [operand, field] = node.arguments;
    if (operand === undefined || field?.kind !== "literal" || typeof field.value !== "string") {
      return this.#problem(node, "unsupported optional field selection: incorrect signature. argument count: 1");
    }
    this.#types[field.id] = literalType(field.value);
    const type = this.#field(node, operand, field.value);
    return this.#substitution.resolve(isOptionalType(type) ? type : optionalType(type));
  }

  /** The type of a field of what an operand is; of an optional operand it is optional too. */
  #field(node: Expression, operand: Expression, field: string): Type {
    const operandType = this.#substitution.resolve(this.check(operand));
    const target = unwrapOptional(operandType);
    const type = this.#fieldOf(node, target, field);
    return isOptionalType(operandType) ? optionalType(type) : type;
  }

  #fieldOf(node: Expression, target: Type, field: string): Type {
    if (target.kind === "map") return target.parameters[1] ?? dynType;
    if (target.kind === "struct") {
      return this.#scope.fieldsOf(target.name)?.get(field) ?? this.#problem(node, `undefined field '${field}'`);
    }
    // What has fields can be anything from here on.
    if (target.kind === "parameter") this.#substitution.assign(dynType, target);
    else if (target.kind !== "dyn" && target.kind !== "error") {
      this.#problem(node, `type '${describeType(target)}' does not support field selection`);
    }
    return dynType;
  }

  #call(node: Extract<Expression, { kind: "call" }>): Type {
    for (const part of node.arguments) this.check(part);
    if (node.target === undefined) {
      const declared = this.#scope.names.findFunction(node.name);
      if (declared === undefined) return this.#undeclared(node, node.name);
      return this.#resolve(node, declared, node.arguments);
    }
    // `a.b.c()` is the function `a.b.c` if there is one, else `c` of `a.b`.
    const prefix = qualifiedName(node.target);
    const qualified = prefix === undefined ? undefined : this.#scope.names.findFunction(`${prefix}.${node.name}`);
    if (qualified !== undefined) {
      this.#references[node.id] = qualified.name;
      return this.#resolve(node, qualified, node.arguments);
    }
    this.check(node.target);
    const declared = this.#scope.names.findFunction(node.name);
    if (declared === undefined) return this.#undeclared(node, node.name);
    return this.#resolve(node, declared, [node.target, ...node.arguments], { member: true });
  }

  #resolve(
    node: Extract<Expression, { kind: "call" }>,
    declared: FunctionDeclaration,
    parts: readonly Expression[],
    { member = false }: { readonly member?: boolean } = {},
  ): Type {
    const types = parts.map((part) => this.#types[part.id] ?? dynType);
    if (declared.name === "_&&_" || declared.name === "_||_") return this.#logic(node, declared, parts);
    const resolved = resolveOverloads(declared, types, {
      member,
      substitution: this.#substitution,
      crossTypeComparisons: this.#scope.crossTypeComparisons,
      freshParameter: () => this.#freshParameter(),
    });
    if (resolved === undefined) {
      const shown = types.map((type) => describeType(this.#substitution.resolve(type, { openToDyn: true })));
      const signature = member ? `${shown[0]}.(${shown.slice(1).join(", ")})` : `(${shown.join(", ")})`;
      return this.#problem(node, `found no matching overload for '${declared.name}' applied to '${signature}'`);
    }
    this.#overloads[node.id] = resolved.overloads;
    return resolved.type;
  }

  #logic(node: Expression, declared: FunctionDeclaration, parts: readonly Expression[]): Type {
    let type = boolType;
    for (const part of parts) {
      const found = this.#types[part.id] ?? dynType;
      if (this.#substitution.assign(found, boolType)) continue;
      type = this.#mismatch(part, boolType, found);
    }
    this.#overloads[node.id] = declared.overloads;
    return type;
  }

  #list(node: ListLiteral): Type {
    let element: Type | undefined;
    for (const [index, part] of node.elements.entries()) {
      const found = this.check(part);
      const type = node.optional.has(index) ? this.#held(part, found) : found;
      element = this.#join(element, type);
    }
    return listType(element ?? this.#freshParameter());
  }

  #map(node: MapLiteral): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of node.entries) {
      key = this.#join(key, this.check(entry.key));
      const found = this.check(entry.value);
      value = this.#join(value, entry.optional ? this.#held(entry.value, found) : found);
    }
    return mapType(key ?? this.#freshParameter(), value ?? this.#freshParameter());
  }

  /** What the optional holds that an optional element must be. */
  #held(part: Expression, found: Type): Type {
    if (!isOptionalType(found) && found.kind !== "dyn") this.#mismatch(part, optionalType(found), found);
    return unwrapOptional(found);
  }

  #join(before: Type | undefined, found: Type): Type {
    if (before === undefined) return found;
    return this.#substitution.assign(before, found) ? mostGeneral(before, found) : dynType;
  }

  /** No dialect here has types that an expression can build; Kubernetes' own cannot be named. */
  #struct(node: StructLiteral): Type {
    const type = this.#reference(node, node.type);
    if (type === undefined) return this.#undeclared(node, node.type);
    if (type.kind !== "type") return this.#problem(node, `'${describeType(type)}' is not a type`);
    const [built = dynType] = type.parameters;
    return this.#problem(node, `'${describeType(built)}' is not a message type`);
  }

  #comprehension(node: Comprehension): Type {
    const range = this.#substitution.resolve(this.check(node.range));
    const gathered = this.check(node.initial);
    this.#locals.push({ name: node.accumulator, type: gathered });
    const { first, second } = this.#variables(node, range);
    this.#locals.push({ name: node.variable, type: first });
    if (node.variable2 !== undefined) this.#locals.push({ name: node.variable2, type: second });
    this.#expect(node.condition, boolType);
    this.#expect(node.step, gathered);
    this.#locals.length -= node.variable2 === undefined ? 1 : 2;
    const result = this.check(node.result);
    this.#locals.length -= 1;
    return this.#substitution.resolve(result);
  }

  #variables(node: Comprehension, range: Type): { readonly first: Type; readonly second: Type } {
    const [first = dynType, second = dynType] = range.parameters;
    if (range.kind === "map") return { first, second };
    if (range.kind === "list") return { first: node.variable2 === undefined ? first : intType, second: first };
    if (range.kind === "dyn" || range.kind === "error" || range.kind === "parameter") {
      this.#substitution.assign(dynType, range);
      return { first: dynType, second: dynType };
    }
    const message = `expression of type '${describeType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    this.#problem(node.range, message);
    return { first: errorType, second: errorType };
  }

  #expect(node: Expression, type: Type): void {
    const found = this.check(node);
    if (!this.#substitution.assign(type, found)) this.#mismatch(node, type, found);
  }

  #freshParameter(): Type {
    this.#parameterCount += 1;
    return parameterType(`_var${this.#parameterCount - 1}`);
  }

  #mismatch(node: Expression, expected: Type, found: Type): Type {
    return this.#problem(node, `expected type '${describeType(expected)}' but found '${describeType(found)}'`);
  }

  #undeclared(node: Expression, name: string): Type {
    const message = `undeclared reference to '${name}' (in container '${this.#scope.names.container}')`;
    return this.#problem(node, message);
  }

  #problem({ offset }: Expression, message: string): Type {
    this.#problems.push({ offset, message });
    return errorType;
  }
}
