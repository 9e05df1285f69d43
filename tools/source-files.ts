import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The files of a folder and of all below it, as a map from path inside the folder to text. */
export function sourceFilesIn(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [relative(folder, path), readFileSync(path, "utf8")]),
  );
}
