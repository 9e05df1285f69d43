import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Documents that a tool writes: all files of the folders, and the single files, by path from the root. */
export interface GeneratedDocs {
  readonly folders: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

/** How the documents on disk differ from what they should be, one sentence each. */
export function staleDocs(root: string, docs: GeneratedDocs): readonly string[] {
  const wrong = [...docs.files].flatMap(([path, text]) => {
    const onDisk = readIfThere(join(root, path));
    if (onDisk === undefined) return [`${path} is missing`];
    return onDisk === text ? [] : [`${path} is not what the sources say`];
  });
  return [...wrong, ...leftOver(root, docs).map((path) => `${path} is written by nobody any more`)];
}

/** Writes the documents and takes away those that are written no more. */
export function writeDocs(root: string, docs: GeneratedDocs): void {
  for (const path of leftOver(root, docs)) rmSync(join(root, path));
  for (const [path, text] of docs.files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function leftOver(root: string, { folders, files }: GeneratedDocs): readonly string[] {
  return folders.flatMap((folder) => {
    mkdirSync(join(root, folder), { recursive: true });
    return readdirSync(join(root, folder))
      .map((name) => `${folder}/${name}`)
      .filter((path) => !files.has(path));
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
