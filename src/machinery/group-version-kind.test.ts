import { expect, test } from "vitest";
import {
  apiVersionOf,
  describeGroupKind,
  describeGroupResource,
  describeKind,
  InvalidGroupVersionError,
  kindOf,
  parseGroupVersion,
} from "./group-version-kind.ts";

test.each([
  ["v1", { group: "", version: "v1" }],
  ["apps/v1", { group: "apps", version: "v1" }],
  ["", { group: "", version: "" }],
  ["/", { group: "", version: "" }],
  ["/v1", { group: "", version: "v1" }],
  ["g/", { group: "g", version: "" }],
])("%j is read", (apiVersion, parsed) => {
  expect(parseGroupVersion(apiVersion)).toEqual(parsed);
});

test("more than one slash is refused, or gives an empty kind", () => {
  expect(() => parseGroupVersion("a/b/c")).toThrow(InvalidGroupVersionError);
  expect(() => parseGroupVersion("a/b/c")).toThrow("unexpected GroupVersion string: a/b/c");
  expect(describeKind(kindOf({ apiVersion: "a/b/c", kind: "K" }))).toBe("/, Kind=");
});

test("kinds and resources in words", () => {
  const [secret, machine] = [
    kindOf({ apiVersion: "v1", kind: "Secret" }),
    kindOf({ apiVersion: "x.io/v1", kind: "Machine" }),
  ];
  expect([secret, machine].map(describeKind)).toEqual(["/v1, Kind=Secret", "x.io/v1, Kind=Machine"]);
  expect([secret, machine].map(describeGroupKind)).toEqual(["Secret", "Machine.x.io"]);
  expect([secret, machine].map(apiVersionOf)).toEqual(["v1", "x.io/v1"]);
  expect(describeGroupResource({ group: "", resource: "secrets" })).toBe("secrets");
  expect(describeGroupResource({ group: "x.io", resource: "machines" })).toBe("machines.x.io");
});
