import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describeError, toError } from "#base";
import { UnreadableSourceError } from "../errors.ts";
import type { SourceFile, UnreadableFile } from "./lint-files.ts";

const endings = [".yaml", ".yml", ".json"];

/** Reads files, and all YAML and JSON in folders, in the order of their names. One that cannot be read hides no other. */
export async function* sourceFiles(paths: readonly string[]): AsyncIterable<SourceFile | UnreadableFile> {
  for (const path of paths) {
    for (const file of await filesAt(path)) yield await sourceFile(file);
  }
}

/** Links to files are followed, those to folders are not: they may lead back. */
async function filesAt(path: string): Promise<readonly string[]> {
  const found = await reading(path, () => stat(path));
  if (!found.isDirectory()) return [path];
  const entries = await reading(path, () => readdir(path, { recursive: true, withFileTypes: true }));
  return entries
    .filter((entry) => !entry.isDirectory() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function sourceFile(file: string): Promise<SourceFile | UnreadableFile> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return { file, problem: `cannot be read: ${describeError(error)}` };
  }
  try {
    return { file, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { file, problem: "is no text in UTF-8" };
  }
}

async function reading<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UnreadableSourceError(`cannot read ${path}`, { cause: toError(error) });
  }
}
