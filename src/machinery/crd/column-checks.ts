import { type FieldError, invalid, required } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import type { PrinterColumn, ScalePaths } from "./definition.ts";

const types = ["boolean", "date", "integer", "number", "string"];
const formats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** What is wrong with a printer column. */
export function columnErrors(column: PrinterColumn, path: FieldPath): readonly FieldError[] {
  const { name, type, format = "", jsonPath } = column;
  const mustBe = `must be one of ${types.join(",")}`;
  const errors: FieldError[] = name === "" ? [required(path.child("name"))] : [];
  if (type === "") errors.push(required(path.child("type"), mustBe));
  else if (!types.includes(type)) errors.push(invalid(path.child("type"), type, mustBe));
  if (format !== "" && !formats.includes(format)) {
    errors.push(invalid(path.child("format"), format, `must be one of ${formats.join(",")}`));
  }
  if (jsonPath === "") errors.push(required(path.child("JSONPath")));
  else errors.push(...simplePathErrors(jsonPath, path.child("JSONPath")));
  return errors;
}

/** What is wrong with the paths of a scale subresource. */
export function scaleErrors(scale: ScalePaths, path: FieldPath): readonly FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = "" } = scale;
  const at = (name: string): FieldPath => path.child(`scale.${name}`);
  const both = "should be a json path under either .spec or .status";
  return [
    ...pathErrors(specReplicasPath, at("specReplicasPath"), {
      below: [".spec."],
      why: "should be a json path under .spec",
    }),
    ...pathErrors(statusReplicasPath, at("statusReplicasPath"), {
      below: [".status."],
      why: "should be a json path under .status",
    }),
    ...(labelSelectorPath === ""
      ? []
      : pathErrors(labelSelectorPath, at("labelSelectorPath"), { below: [".spec.", ".status."], why: both })),
  ];
}

interface Demand {
  readonly below: readonly string[];
  readonly why: string;
}

function pathErrors(text: string, path: FieldPath, { below, why }: Demand): readonly FieldError[] {
  if (text === "") return [required(path)];
  const errors = simplePathErrors(text, path);
  if (errors.length > 0 || below.some((prefix) => text.startsWith(prefix))) return errors;
  return [invalid(path, text, why)];
}

function simplePathErrors(text: string, path: FieldPath): readonly FieldError[] {
  return text.startsWith(".") ? [] : [invalid(path, text, "must be a simple json path starting with .")];
}
