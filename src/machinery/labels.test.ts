import { expect, test } from "vitest";
import { describeFieldError } from "./field-error.ts";
import { FieldPath } from "./field-path.ts";
import { labelValueProblems, qualifiedNameProblems, validateLabels } from "./labels.ts";

const name =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const prefix =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

test.each([
  ["app", []],
  ["example.com/My_Name.1", []],
  ["-a", [`name part ${name}`]],
  ["a/b/c", [`a valid label key ${name} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]],
  ["", ["name part must be non-empty", `name part ${name}`]],
  ["/x", ["prefix part must be non-empty"]],
  ["/-", ["prefix part must be non-empty", `name part ${name}`]],
  ["x/", ["name part must be non-empty", `name part ${name}`]],
  ["A/b", [prefix]],
  ["k".repeat(64), ["name part must be no more than 63 bytes"]],
  [`${"P".repeat(254)}/-`, ["prefix part must be no more than 253 bytes", prefix, `name part ${name}`]],
])("the key %s", (key, problems) => {
  expect(qualifiedNameProblems(key)).toEqual(problems);
  expect(qualifiedNameProblems(key)).toEqual(problems);
});

test.each([
  ["", []],
  ["My_value.1", []],
  ["-x", [value]],
  ["a b", [value]],
  ["v".repeat(64), ["must be no more than 63 bytes"]],
  ["é".repeat(40), ["must be no more than 63 bytes", value]],
])("the value %s", (text, problems) => {
  expect(labelValueProblems(text)).toEqual(problems);
});

test("more different keys than are remembered are still told apart", () => {
  for (let index = 0; index < 25_000; index++) expect(qualifiedNameProblems(`key-${index}`)).toHaveLength(0);
  expect(qualifiedNameProblems("key-1-")).toHaveLength(1);
});

test("the labels of an object are all looked at", () => {
  const errors = validateLabels({ ok: "fine", "-": "-" }, FieldPath.of("metadata", "labels"));
  expect(errors.map(describeFieldError)).toEqual([
    `metadata.labels: Invalid value: "-": name part ${name}`,
    `metadata.labels: Invalid value: "-": ${value}`,
  ]);
});
