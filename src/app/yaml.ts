import { dump, load, YAMLException } from "js-yaml";
import { UnreadableFileError } from "./errors.ts";

/** Reads one document of YAML, and so of JSON too. Times stay texts. */
export function parseYaml(text: string, file: string): unknown {
  try {
    return load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? "" : ` in line ${error.mark.line + 1}`;
    throw new UnreadableFileError(`${file} is neither YAML nor JSON: ${error.reason}${line}`);
  }
}

/** Writes a value as YAML. */
export function printYaml(value: object): string {
  return dump(value, { lineWidth: -1 });
}
