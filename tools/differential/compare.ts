import { isJsonObject, type Json } from "#machinery";

/** Where two answers differ. */
export interface Difference {
  readonly path: string;
  readonly real: Json | undefined;
  readonly ours: Json | undefined;
}

/** Every path at which two values differ, outermost first; the order of keys does not count. */
export function differencesBetween(real: Json | undefined, ours: Json | undefined, path = ""): readonly Difference[] {
  if (isJsonObject(real) && isJsonObject(ours)) {
    const names = [...new Set([...Object.keys(real), ...Object.keys(ours)])];
    return names.flatMap((name) => differencesBetween(real[name], ours[name], member(path, name)));
  }
  if (Array.isArray(real) && Array.isArray(ours) && real.length === ours.length) {
    return real.flatMap((value: Json, index) => differencesBetween(value, ours[index], `${path}[${index}]`));
  }
  return Object.is(real, ours) || isSameList(real, ours) ? [] : [{ path, real, ours }];
}

function isSameList(real: Json | undefined, ours: Json | undefined): boolean {
  return Array.isArray(real) && Array.isArray(ours) && real.length === 0 && ours.length === 0;
}

function member(path: string, name: string): string {
  if (/[.[\]]/.test(name)) return `${path}['${name}']`;
  return path === "" ? name : `${path}.${name}`;
}
