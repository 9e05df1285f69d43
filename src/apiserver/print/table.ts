import { timestampOf } from "#base";
import type { KubeObject } from "#machinery";
import { builtinPrinter } from "#apiserver/builtin";
import type { PrinterColumn, ResourceDefinition, VersionDefinition } from "#apiserver/resources";
import { printTimestamp } from "./age.ts";
import { type ColumnPath, compileColumnPath, InvalidColumnPathError } from "./json-path.ts";

/** What a column of a table is called and holds. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Prints the objects of one resource as rows. */
export interface TablePrinter {
  readonly columns: readonly ColumnDefinition[];
  /** The cells of an object at a time in milliseconds since 1970. */
  cells(object: KubeObject, now: number): readonly unknown[];
}

const nameColumn: ColumnDefinition = {
  name: "Name",
  type: "string",
  format: "name",
  description: "The name of the object, unique within its namespace.",
  priority: 0,
};

const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
  description: "How long ago the object was created.",
};

const printers = new WeakMap<VersionDefinition, TablePrinter>();

/** Prints as a built-in kind does, or by the columns that a version declares: the name, and at least the age. */
export function printerOf(definition: ResourceDefinition, version: VersionDefinition): TablePrinter {
  const known = printers.get(version);
  if (known !== undefined) return known;
  const printer = ownPrinter(definition) ?? declaredPrinter(version);
  printers.set(version, printer);
  return printer;
}

function ownPrinter(definition: ResourceDefinition): TablePrinter | undefined {
  const printer = definition.behaviour.strategicPatches ? builtinPrinter(definition) : undefined;
  if (printer === undefined) return undefined;
  return { columns: printer.columns, cells: (object, now) => printer.cells(object, timestampOf(now)) };
}

function declaredPrinter(version: VersionDefinition): TablePrinter {
  const declared = version.printerColumns.length === 0 ? [ageColumn] : version.printerColumns;
  const readers = declared.map(readerOf);
  return {
    columns: [nameColumn, ...declared.map(columnOf)],
    cells: (object, now) => [object.metadata.name ?? "", ...readers.map((read) => read(object, now))],
  };
}

function columnOf({ name, type, format = "", description, jsonPath, priority = 0 }: PrinterColumn): ColumnDefinition {
  const fallback = `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return { name, type, format, description: description ?? fallback, priority };
}

function readerOf({ jsonPath, type }: PrinterColumn): (object: KubeObject, now: number) => unknown {
  const path = compiled(jsonPath);
  return (object, now) => {
    const [value] = path(object);
    return value === undefined || value === null ? null : cellOf(type, value, now);
  };
}

/** A path that is not understood shows nothing, as on the real server. */
function compiled(path: string): ColumnPath {
  try {
    return compileColumnPath(path);
  } catch (error) {
    if (!(error instanceof InvalidColumnPathError)) throw error;
    return () => [];
  }
}

function cellOf(type: string, value: unknown, now: number): unknown {
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : typeof value === "bigint" ? Number(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? printTimestamp(value, now) : null;
    default:
      return typeof value === "string" ? value : typeof value === "bigint" ? value.toString() : JSON.stringify(value);
  }
}
