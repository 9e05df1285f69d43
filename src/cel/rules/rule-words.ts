import {
  type FieldError,
  type FieldPath,
  invalid,
  type JsonSchema,
  notSupported,
  required,
  type ValidationRule,
} from "#machinery";
import { parseFieldPath } from "./rule-field-path.ts";

/** How mistakes in rules are worded. */
export interface RuleWords {
  /** What is wrong with a rule before anybody looks at its expressions. */
  readonly shapeErrors: (rule: ValidationRule, at: FieldPath, schema: JsonSchema) => readonly FieldError[];
  /** What the sum of all costs is called. */
  readonly totalName: string;
  /** What is blamed for elements without counterparts: the list, or what describes its elements. */
  readonly uncorrelatedAt: (list: FieldPath) => FieldPath;
}

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const lineBreak = /[\n\r]/;
const longestMessage = 2048;

/** The words for rules of custom resource definitions. */
export const wordsOfCrds: RuleWords = {
  totalName: "estimated rule cost total",
  uncorrelatedAt: (list) => list,
  shapeErrors: (rule, at, schema) => [
    ...requiredErrors(rule, at, crdTexts),
    ...optionalErrors(rule, at, schema, crdTexts),
  ],
};

/** The words for rules of variables in a ClusterClass. */
export const wordsOfVariables: RuleWords = {
  totalName: "estimated rule & messageExpression cost total",
  uncorrelatedAt: (list) => list.child("items"),
  shapeErrors: (rule, at, schema) => [
    ...requiredErrors(rule, at, variableTexts),
    ...optionalErrors(rule, at, schema, variableTexts),
  ],
};

interface ShapeTexts {
  readonly subject: (field: string) => string;
  readonly limitsMessage: boolean;
  readonly invalidPath: (why: string) => string;
}

const crdTexts: ShapeTexts = {
  subject: () => "",
  limitsMessage: false,
  invalidPath: () => "must be a valid path",
};

const variableTexts: ShapeTexts = {
  subject: (field) => `${field} `,
  limitsMessage: true,
  invalidPath: (why) => `fieldPath must be a valid path: ${why}`,
};

/** Of these the first that applies. */
function requiredErrors(
  { rule, message = "" }: ValidationRule,
  at: FieldPath,
  { subject, limitsMessage }: ShapeTexts,
): readonly FieldError[] {
  const messageAt = at.child("message");
  const isBlank = message.trim() === "";
  if (rule.trim() === "") return [required(at.child("rule"), "rule is not specified")];
  if (message !== "" && isBlank) {
    return [invalid(messageAt, message, `${subject("message")}must be non-empty if specified`)];
  }
  if (limitsMessage && Buffer.byteLength(message) > longestMessage) {
    const start = `${Buffer.from(message).subarray(0, 10).toString()}...`;
    return [invalid(messageAt, start, `message must have a maximum length of ${longestMessage} characters`)];
  }
  if (lineBreak.test(message.trim())) {
    return [invalid(messageAt, message, `${subject("message")}must not contain line breaks`)];
  }
  if (lineBreak.test(rule.trim()) && isBlank) {
    return [required(messageAt, "message must be specified if rule contains line breaks")];
  }
  return [];
}

/** Of these all that apply. */
function optionalErrors(
  { messageExpression = "", reason, fieldPath = "" }: ValidationRule,
  at: FieldPath,
  schema: JsonSchema,
  { subject, invalidPath }: ShapeTexts,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const pathAt = at.child("fieldPath");
  if (messageExpression !== "" && messageExpression.trim() === "") {
    errors.push(required(at.child("messageExpression"), "messageExpression must be non-empty if specified"));
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(at.child("reason"), reason, reasons));
  if (fieldPath === "") return errors;
  if (fieldPath.trim() === "") {
    errors.push(invalid(pathAt, fieldPath, `${subject("fieldPath")}must be non-empty if specified`));
  }
  if (lineBreak.test(fieldPath)) {
    errors.push(invalid(pathAt, fieldPath, `${subject("fieldPath")}must not contain line breaks`));
  }
  const { problem } = parseFieldPath(fieldPath, schema);
  if (problem !== undefined) errors.push(invalid(pathAt, fieldPath, invalidPath(problem)));
  return errors;
}
