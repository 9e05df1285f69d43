import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The example that comes with the program, as somebody names it who is in a folder. */
export function quickstartFrom(folder: string): string {
  const file = fileURLToPath(new URL("../../examples/quickstart.yaml", import.meta.url));
  const below = relative(folder, file);
  return below.startsWith("..") ? file : below;
}
