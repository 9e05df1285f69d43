export { printAge, printTimestamp } from "./age.ts";
export { compileColumnPath, type ColumnPath, InvalidColumnPathError } from "./json-path.ts";
export { type ColumnDefinition, printerOf, type TablePrinter } from "./table.ts";
