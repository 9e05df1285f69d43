import { type FieldError, invalid } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import type { CustomResourceDefinition } from "./definition.ts";

/** What is wrong with the versions that objects may be stored in: each of them has to stay until nothing is left in it. */
export function storedVersionErrors({ spec, status }: CustomResourceDefinition): readonly FieldError[] {
  const path = FieldPath.of("status", "storedVersions");
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, status?.storedVersions, "must have at least one stored version")];
  const storage = spec.versions.filter((version) => version.storage && !stored.includes(version.name));
  const names = new Set(spec.versions.map(({ name }) => name));
  return [
    ...storage.map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) => (names.has(name) ? [] : [invalid(path.index(index), name, mustStay(name))])),
  ];
}

function mustStay(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}
