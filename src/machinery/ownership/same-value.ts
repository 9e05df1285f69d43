import { isJsonObject, type Json } from "../json.ts";

/** True where two values say the same; the order of keys does not matter, the order of lists does. */
export function isSameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b);
  return isJsonObject(a) && isJsonObject(b) && isSameObject(a, b);
}

function isSameList(a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!isSameValue(a[index], b[index])) return false;
  return true;
}

function isSameObject(a: { readonly [key: string]: Json }, b: { readonly [key: string]: Json }): boolean {
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !isSameValue(a[key], b[key])) return false;
    count++;
  }
  for (const key in b) if (Object.hasOwn(b, key)) count--;
  return count === 0;
}
