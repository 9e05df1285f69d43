import { isJsonObject, type Json } from "#machinery";
import type { Adapter, AdapterContext } from "./adapter.ts";

/** An adapter whose input has a fixed shape; what the files have as null is left out. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each adapter names the shape that it is given
export function recorded<Input>(run: (input: Input, context: AdapterContext) => unknown): Adapter {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the files of vectors fix the shape of each input
  return (input, context) => run(withoutNulls(input) as Input, context);
}

/** What is null is not there. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]: [string, Json | undefined]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}
