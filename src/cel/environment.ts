import { type Checked, check } from "./check/checker.ts";
import { type FunctionDeclaration, mergeFunctions } from "./check/declaration.ts";
import { Names } from "./check/names.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  type Type,
  typeType,
  uintType,
} from "./check/type.ts";
import { planProgram, type Program } from "./evaluate/program.ts";
import type { Expression } from "./syntax/ast.ts";
import { type Macro, MacroTable } from "./syntax/macro.ts";
import { parse, type Parsed } from "./syntax/parse.ts";
import { describeProblems, type SourceProblem } from "./syntax/source.ts";

/** Looks at a checked expression for mistakes that types do not show. */
export type Inspection = (expression: Expression, checked: Checked) => readonly SourceProblem[];

/** A dialect: which functions, macros and types there are, and how strict it is. */
export interface Dialect {
  readonly functions: readonly FunctionDeclaration[];
  readonly macros: readonly Macro[];
  /** Types beyond those of the language whose names are values. */
  readonly types?: readonly Type[];
  readonly inspections?: readonly Inspection[];
  readonly container?: string;
  readonly optionalSyntax?: boolean;
  readonly quotedFields?: boolean;
  readonly crossTypeComparisons?: boolean;
  readonly foldConstants?: boolean;
}

/** The variables of an expression and the fields of struct types among them. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, Type>;
  readonly fieldsOf?: (type: string) => ReadonlyMap<string, Type> | undefined;
}

/** An expression that can be run, or the text of what is wrong with it. */
export type Compiled =
  | {
      readonly kind: "compiled";
      readonly expression: Expression;
      readonly checked: Checked;
      readonly type: Type;
      /** Made when first asked for; a constant part that fails makes it fail. */
      readonly program: () => Program | { readonly problem: string };
    }
  | { readonly kind: "refused"; readonly problem: string };

const languageTypes: readonly Type[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType(dynType),
  mapType(dynType, dynType),
  nullType,
  stringType,
  timestampType,
  typeType(),
  uintType,
];

/** Compiles expressions of a dialect. */
export class Environment {
  readonly #dialect: Dialect;
  readonly #names: Names;
  readonly #macros: MacroTable;
  readonly #types: ReadonlyMap<string, Type>;

  constructor(dialect: Dialect) {
    const optional = dialect.optionalSyntax === true ? [optionalType(dynType)] : [];
    this.#dialect = dialect;
    this.#types = new Map([...languageTypes, ...optional, ...(dialect.types ?? [])].map((type) => [type.name, type]));
    this.#names = new Names(dialect.container ?? "", {
      functions: mergeFunctions(dialect.functions),
      types: this.#types,
    });
    this.#macros = new MacroTable(dialect.macros);
  }

  parse(source: string): Parsed {
    const { optionalSyntax = false, quotedFields = false } = this.#dialect;
    return parse(source, { macros: this.#macros, optionalSyntax, quotedFields });
  }

  /** Parses, checks and inspects an expression. */
  compile(source: string, { variables, fieldsOf = () => undefined }: Declarations): Compiled {
    const parsed = this.parse(source);
    if (parsed.kind === "refused") return refuse(source, parsed.problems);
    const { expression } = parsed;
    const { crossTypeComparisons = true } = this.#dialect;
    const checked = check(expression, {
      names: this.#names,
      variables,
      fieldsOf,
      crossTypeComparisons,
    });
    if (checked.problems.length > 0) return refuse(source, checked.problems);
    const found = (this.#dialect.inspections ?? []).flatMap((inspect) => inspect(expression, checked));
    if (found.length > 0) return refuse(source, found);
    const type = checked.types[expression.id] ?? dynType;
    return { kind: "compiled", expression, checked, type, program: () => this.program(expression, checked) };
  }

  /** Plans an expression; one that was not checked looks its names up while it runs. */
  program(expression: Expression, checked?: Checked): Program | { readonly problem: string } {
    return planProgram(expression, {
      names: this.#names,
      checked,
      foldConstants: this.#dialect.foldConstants ?? false,
      typeNamed: (name) => this.#types.get(name)?.name,
    });
  }
}

function refuse(source: string, problems: readonly SourceProblem[]): Compiled {
  return { kind: "refused", problem: describeProblems(source, problems) };
}
