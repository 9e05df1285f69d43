import { isJsonObject, type Json } from "#machinery";

/** One step of a path into an answer: a member, an index, every member, or the list items with a field of that value. */
type PathStep =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "every" }
  | { readonly kind: "where"; readonly name: string; readonly value: string };

const step = /\.?([^.[\]]+)|\['([^']*)'\]|\[(\*)\]|\[([^\]=]+)=([^\]]*)\]|\[(\d+)\]/y;

/** Reads `a.b`, `a['b.c']`, `a[0]`, `a[*]` and `a[name=x]`; the empty path is the whole answer. */
export function parsePath(text: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const at = step.lastIndex;
    const match = step.exec(text);
    if (match === null) throw new Error(`the path ${text} cannot be read from ${text.slice(at)} on`);
    steps.push(stepOf(match));
  }
  return steps;
}

function stepOf([, plain, quoted, every, name, value, index]: RegExpExecArray): PathStep {
  if (every !== undefined || plain === "*") return { kind: "every" };
  if (name !== undefined) return { kind: "where", name, value: value ?? "" };
  return { kind: "member", name: plain ?? quoted ?? index ?? "" };
}

/** The values at a path: none where it leads nowhere. */
export function valuesAt(value: Json, path: readonly PathStep[]): readonly Json[] {
  const [first, ...rest] = path;
  if (first === undefined) return [value];
  return membersOf(value)
    .filter(([name, member]) => isMeant(first, name, member))
    .flatMap(([, member]) => valuesAt(member, rest));
}

/** The value without what is at the path. */
export function without(value: Json, path: readonly PathStep[]): Json {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const changed = membersOf(value).flatMap(([name, member]): [string, Json][] => {
    if (!isMeant(first, name, member)) return [[name, member]];
    return rest.length === 0 ? [] : [[name, without(member, rest)]];
  });
  if (Array.isArray(value)) return changed.map(([, member]) => member);
  return isJsonObject(value) ? Object.fromEntries(changed) : value;
}

function membersOf(value: Json): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.map((member: Json, index) => [String(index), member]);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function isMeant(meant: PathStep, name: string, member: Json): boolean {
  switch (meant.kind) {
    case "every":
      return true;
    case "member":
      return meant.name === name;
    case "where":
      return isJsonObject(member) && member[meant.name] === meant.value;
  }
}
