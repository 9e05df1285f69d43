import { describe, expect, test } from "vitest";
import { labelName, pathSegmentName, rfc1035LabelName, subdomainName } from "./name-syntax.ts";

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const rfc1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

describe("subdomains", () => {
  test.each(["a", "1", "a-b.c-d", "a".repeat(253)])("%s is fine", (name) => {
    expect(subdomainName.name(name)).toEqual([]);
  });

  test.each(["A", "-a", "a-", "a_b", "a..b", "a b", "a/b", ".", "..", "a.", "é", "a\n"])("%j is misspelt", (name) => {
    expect(subdomainName.name(name)).toEqual([subdomain]);
  });

  test("length is counted in bytes and called characters", () => {
    expect(subdomainName.name("a".repeat(254))).toEqual(["must be no more than 253 characters"]);
    expect(subdomainName.name("é".repeat(130))).toEqual(["must be no more than 253 characters", subdomain]);
  });

  test("a beginning may end with a dash, and what stands before the dash is not looked at", () => {
    expect(subdomainName.generateName("a-")).toEqual([]);
    expect(subdomainName.generateName("A-")).toEqual([]);
    expect(subdomainName.generateName("-")).toEqual([subdomain]);
    expect(subdomainName.generateName("a.")).toEqual([subdomain]);
    expect(subdomainName.generateName("A_")).toEqual([subdomain]);
  });

  test("a hostile name takes no time", () => {
    expect(subdomainName.name(`${"a-".repeat(1_000_000)}!`)).toHaveLength(2);
    expect(subdomainName.name(`${"a.".repeat(1_000_000)}!`)).toHaveLength(2);
  });
});

test.each([
  ["a-1", []],
  ["1a", []],
  ["a.b", ["must not contain dots"]],
  ["A.b", [label]],
  ["A", [label]],
  ["a".repeat(64), ["must be no more than 63 characters"]],
  [`${"a".repeat(60)}.b.c`, ["must be no more than 63 characters", "must not contain dots"]],
])("the label %s", (name, problems) => {
  expect(labelName.name(name)).toEqual(problems);
});

test.each([
  ["a-1", []],
  ["1a", [rfc1035]],
  ["a.b", [rfc1035]],
  ["A".repeat(64), ["must be no more than 63 characters", rfc1035]],
])("the RFC 1035 label %s", (name, problems) => {
  expect(rfc1035LabelName.name(name)).toEqual(problems);
});

test("a path segment takes what a URL takes", () => {
  expect(pathSegmentName.name("system:Role A")).toEqual([]);
  expect(pathSegmentName.name("a/%b")).toEqual(["may not contain '/'", "may not contain '%'"]);
  expect(pathSegmentName.name(".")).toEqual(["may not be '.'"]);
  expect(pathSegmentName.name("..")).toEqual(["may not be '..'"]);
  expect(pathSegmentName.generateName("a/")).toEqual(["may not contain '/'"]);
  expect(pathSegmentName.generateName(".")).toEqual([]);
});
