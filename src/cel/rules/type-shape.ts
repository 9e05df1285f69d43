import type { DeclaredType } from "./declared-type.ts";

// What takes more than this to write is rarely declared twice, and comparing it would cost more than it saves.
const longestShape = 4096;

const shapes = new WeakMap<DeclaredType, { readonly text: string | undefined }>();

/** A text that two types share if no expression can tell them apart; undefined for a type that is too large for one. */
export function shapeOf(declared: DeclaredType): string | undefined {
  const known = shapes.get(declared);
  if (known !== undefined) return known.text;
  const writer = new ShapeWriter(declared.type.name);
  writer.write(declared);
  const text = writer.text.length > longestShape ? undefined : writer.text;
  shapes.set(declared, { text });
  return text;
}

/** The names of types inside follow from the name of the outermost and from the fields on the way. */
class ShapeWriter {
  text: string;

  constructor(name: string) {
    this.text = JSON.stringify(name);
  }

  write({ type, mostElements, fields, element }: DeclaredType): void {
    if (this.text.length > longestShape) return;
    this.text += `${type.kind}${mostElements}`;
    if (element !== undefined) {
      this.text += "[";
      this.write(element);
      this.text += "]";
    }
    if (fields === undefined) return;
    this.text += "{";
    for (const [name, field] of fields) {
      this.text += `${name}:`;
      this.write(field);
      // Returning early keeps a type of many thousand fields from being walked through.
      if (this.text.length > longestShape) return;
    }
    this.text += "}";
  }
}
