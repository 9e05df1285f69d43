import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./root.ts";

/** What to say where real-kube is wanted and not found. */
export const whereRealKubeIs =
  "REAL_KUBE does not name a program real-kube, nor is one at ../shared/tools/real-kube/real-kube beside the repository or in the PATH";

/** The program that starts a real control plane: the one that REAL_KUBE names, one beside the repository or in the PATH. */
export function findRealKube(): string | undefined {
  const { REAL_KUBE: named, PATH: path = "" } = process.env;
  const beside = join(root, "../shared/tools/real-kube/real-kube");
  const inPath = path.split(delimiter).map((folder) => join(folder, "real-kube"));
  const candidates = named === undefined || named === "" ? [beside, ...inPath] : [named];
  return candidates.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
