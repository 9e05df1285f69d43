import { dynType, isOpen, sameType, type Type } from "./type.ts";

/** What type parameters turned out to stand for while an expression is checked. */
export class Substitution {
  readonly #bound = new Map<string, Type>();
  // What was changed since an attempt began, so that a failed attempt leaves no trace.
  readonly #trail: { readonly name: string; readonly before: Type | undefined }[] = [];

  /** True if one type can stand where another is asked for; binds parameters only then. */
  assign(from: Type, to: Type): boolean {
    this.#trail.length = 0;
    return this.#assignable(from, to) || this.#takeBack();
  }

  assignAll(from: readonly Type[], to: readonly Type[]): boolean {
    this.#trail.length = 0;
    return this.#assignableAll(from, to) || this.#takeBack();
  }

  /** A type with its parameters replaced; those that are still open become dyn if asked. */
  resolve(type: Type, { openToDyn = false }: { readonly openToDyn?: boolean } = {}): Type {
    if (type.kind === "parameter") {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.resolve(bound, { openToDyn });
      return openToDyn ? dynType : type;
    }
    if (!isOpen(type)) return type;
    const parameters = type.parameters.map((parameter) => this.resolve(parameter, { openToDyn }));
    const changed = parameters.some((parameter, index) => parameter !== type.parameters[index]);
    return changed ? { ...type, parameters } : type;
  }

  /** Undoes a failed attempt. */
  #takeBack(): false {
    for (const { name, before } of this.#trail.toReversed()) {
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  #bind(parameter: Type, type: Type): void {
    this.#trail.push({ name: parameter.name, before: this.#bound.get(parameter.name) });
    this.#bound.set(parameter.name, type);
  }

  #assignableAll(from: readonly Type[], to: readonly Type[]): boolean {
    if (from.length !== to.length) return false;
    for (const [index, type] of from.entries()) if (!this.#assignable(type, to[index] ?? dynType)) return false;
    return true;
  }

  #assignable(from: Type, to: Type): boolean {
    if (to.kind === "parameter") {
      const attempt = this.#substitute(from, to);
      if (attempt.valid) return true;
      if (attempt.bound) return false;
    }
    if (from.kind === "parameter") return this.#substitute(to, from).valid;
    if (isWild(from) || isWild(to)) return true;
    if (from.kind === "null") return isNullable(to);
    if (to.kind === "null") return isNullable(from);
    if (from.kind === "type") return to.kind === "type";
    if (!isParameterized(from)) return sameType(from, to);
    return from.kind === to.kind && from.name === to.name && this.#assignableAll(from.parameters, to.parameters);
  }

  /** Whether a parameter can stand for a type, and whether it already stood for something. */
  #substitute(type: Type, parameter: Type): { readonly valid: boolean; readonly bound: boolean } {
    if (sameType(type, parameter)) return { valid: true, bound: true };
    const bound = this.#bound.get(parameter.name);
    if (bound === undefined) {
      const valid = !this.#occursIn(parameter, type);
      if (valid) this.#bind(parameter, type);
      return { valid, bound: false };
    }
    if (sameType(type, bound)) return { valid: true, bound: true };
    if (!this.#assignable(type, bound)) return { valid: false, bound: true };
    const general = mostGeneral(type, bound);
    if (!this.#occursIn(parameter, general)) this.#bind(parameter, general);
    return { valid: true, bound: true };
  }

  #occursIn(parameter: Type, type: Type): boolean {
    if (sameType(parameter, type)) return true;
    if (type.kind === "parameter") {
      const bound = this.#bound.get(type.name);
      return bound !== undefined && this.#occursIn(parameter, bound);
    }
    return type.parameters.some((part) => this.#occursIn(parameter, part));
  }
}

/** The less specific of two types that fit each other; a type that null fits is less specific than null. */
export function mostGeneral(a: Type, b: Type): Type {
  if (b.kind === "null" && isNullable(a)) return a;
  return isLessOrEquallySpecific(a, b) ? a : b;
}

function isLessOrEquallySpecific(a: Type, b: Type): boolean {
  if (a.kind === "dyn" || a.kind === "parameter") return true;
  if (b.kind === "dyn" || b.kind === "parameter" || a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  if (!isParameterized(a)) return sameType(a, b);
  if (a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((part, index) => isLessOrEquallySpecific(part, b.parameters[index] ?? dynType));
}

function isParameterized({ kind }: Type): boolean {
  return kind === "opaque" || kind === "list" || kind === "map";
}

function isWild({ kind }: Type): boolean {
  return kind === "dyn" || kind === "error";
}

function isNullable({ kind }: Type): boolean {
  return kind === "null" || kind === "opaque" || kind === "struct" || kind === "duration" || kind === "timestamp";
}
