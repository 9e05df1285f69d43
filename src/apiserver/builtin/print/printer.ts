import type { Timestamp } from "#base";
import { instantOf } from "#base";
import { describeGroupResource, type Json, type KubeObject } from "#machinery";
import { text as columnText } from "../types/data/columns.ts";
import { ageOf, type Cells } from "./cell.ts";
import { clusterCells } from "./cluster.ts";
import { coreCells } from "./core-group.ts";
import { guardCells } from "./guard.ts";
import { workloadCells } from "./workload.ts";

/** A column of a Table, as its definition goes over the wire. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** Shown only with `-o wide` when above 0. */
  readonly priority: number;
}

/** How objects of a built-in kind are printed as rows of a Table. */
export interface BuiltinPrinter {
  readonly columns: readonly TableColumn[];
  /** One value for each column. */
  cells(object: KubeObject, now: Timestamp): readonly Json[];
}

type StoredColumn = readonly [name: string, type: string, format: string, priority: number];

const common: Cells = {
  Name: ({ metadata }) => metadata.name ?? "",
  Age: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
  "Created At": ({ metadata }) => metadata.creationTimestamp ?? null,
};

const cellsByResource: Readonly<Record<string, Cells>> = {
  ...coreCells,
  ...workloadCells,
  ...guardCells,
  ...clusterCells,
};

let stored: Readonly<Record<string, readonly StoredColumn[]>> | undefined;

/** The printer of a built-in resource; undefined for any other. */
export function builtinPrinter(what: {
  readonly group: string;
  readonly resource: string;
}): BuiltinPrinter | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the data is written by our own tool in this very shape
  stored ??= JSON.parse(columnText) as Readonly<Record<string, readonly StoredColumn[]>>;
  const name = describeGroupResource(what);
  const found = Object.hasOwn(stored, name) ? stored[name] : undefined;
  if (found === undefined) return undefined;
  const own = cellsByResource[name] ?? {};
  return {
    columns: found.map(([title, type, format, priority]) => ({ name: title, type, format, description: "", priority })),
    cells: (object, now) => found.map(([title]) => (own[title] ?? common[title])?.(object, instantOf(now)) ?? null),
  };
}
