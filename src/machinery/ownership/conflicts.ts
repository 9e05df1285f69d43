import { quote } from "#base";
import { ApiError } from "../api-error.ts";
import { describePath, type FieldSet } from "./field-set.ts";
import type { Manager } from "./managers.ts";
import { compareText } from "./path-element.ts";

/** Fields an applier wants to change that another manager owns. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** The refusal of an apply that would change fields of others: 409, with a cause for every field. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const sorted = conflicts
    .toSorted((a, b) => compareText(a.manager.id, b.manager.id))
    .map(({ manager, fields }) => ({
      who: describeManager(manager),
      paths: [...fields.paths()].map(describePath),
    }));
  const causes = sorted.flatMap(({ who, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${who}`, field })),
  );
  const [only, second] = causes;
  const message =
    only !== undefined && second === undefined
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${sorted.flatMap(describeConflicts).join("\n")}`;
  return new ApiError({ httpCode: 409, reason: "Conflict", message, details: { causes } });
}

/** A manager as conflicts name it. */
function describeManager({ name, operation, apiVersion, subresource }: Manager): string {
  const who = subresource === "" ? quote(name) : `${quote(name)} with subresource ${quote(subresource)}`;
  return operation === "Update" ? `${who} using ${apiVersion}` : who;
}

function describeConflicts({ who, paths }: { readonly who: string; readonly paths: readonly string[] }): string[] {
  return [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)];
}
