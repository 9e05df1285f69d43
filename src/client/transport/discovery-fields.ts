import { fieldAt } from "#machinery";

/** The members of a list field that may be missing. */
export function membersIn(value: unknown, name: string): readonly unknown[] {
  const list = fieldAt(value, name);
  return Array.isArray(list) ? list : [];
}

/** A text field; empty where there is none. */
export function textIn(value: unknown, ...path: readonly string[]): string {
  const text = fieldAt(value, ...path);
  return typeof text === "string" ? text : "";
}

/** The texts of a list field. */
export function textsIn(value: unknown, name: string): readonly string[] {
  return membersIn(value, name).filter((item) => typeof item === "string");
}
