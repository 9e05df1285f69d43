import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { toError } from "#base";
import { UnreadableSourceError } from "../errors.ts";
import type { SourceFile } from "./lint-files.ts";

const endings = [".yaml", ".yml", ".json"];

/** Reads files, and all YAML and JSON in folders, in the order of their names. */
export async function* sourceFiles(paths: readonly string[]): AsyncIterable<SourceFile> {
  for (const path of paths) {
    for (const file of await filesAt(path)) yield { file, text: await reading(file, () => readFile(file, "utf8")) };
  }
}

async function filesAt(path: string): Promise<readonly string[]> {
  const found = await reading(path, () => stat(path));
  if (!found.isDirectory()) return [path];
  const names = await reading(path, () => readdir(path, { recursive: true }));
  return names
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .toSorted()
    .map((name) => join(path, name));
}

async function reading<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UnreadableSourceError(`cannot read ${path}`, { cause: toError(error) });
  }
}
