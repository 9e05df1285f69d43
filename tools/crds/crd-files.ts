import { asJson, type Kind, printYaml } from "#machinery";

/** A file with the definition of each kind, by path from the root. */
export function crdFiles(kinds: readonly Kind[]): ReadonlyMap<string, string> {
  return new Map(
    kinds.map((kind) => [
      `config/crd/${kind.group}_${kind.resource.resource}.yaml`,
      `# Written by \`npm run crds\` from src/api.\n${printYaml(asJson(kind.crd()))}`,
    ]),
  );
}
