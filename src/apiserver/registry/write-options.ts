import {
  type DeleteOptions,
  type FieldError,
  FieldPath,
  invalid,
  invalidObject,
  notSupported,
  tooLong,
  type WriteOptions,
} from "#machinery";

const longestManager = 128;
// Letters, marks, numbers, signs and the plain space: what Go calls printable.
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Refuses options of a write that mean nothing. */
export function checkWriteOptions(
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  { fieldManager = "", fieldValidation = "Warn" }: WriteOptions,
): void {
  const manager = FieldPath.of("fieldManager");
  refuse(kind, [
    ...(Buffer.byteLength(fieldManager) > longestManager ? [tooLong(manager, longestManager)] : []),
    ...(unprintable.test(fieldManager)
      ? [invalid(manager, fieldManager, "should only contain printable characters")]
      : []),
    ...supported("fieldValidation", fieldValidation, ["", "Ignore", "Strict", "Warn"]),
  ]);
}

/** Refuses options of a delete that mean nothing. */
export function checkDeleteOptions({ propagationPolicy = "Background" }: DeleteOptions): void {
  const policies = ["Foreground", "Background", "Orphan", "nil"];
  refuse("DeleteOptions", supported("propagationPolicy", propagationPolicy, policies));
}

function supported(field: string, value: string, values: readonly string[]): readonly FieldError[] {
  return values.includes(value) ? [] : [notSupported(FieldPath.of(field), value, values)];
}

function refuse(kind: string, problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", problems);
}
