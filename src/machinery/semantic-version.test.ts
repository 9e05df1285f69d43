import { describe, expect, test } from "vitest";
import {
  compareReleases,
  compareSemanticVersions,
  isKubernetesVersion,
  parseSemanticVersion,
  printSemanticVersion,
} from "./semantic-version.ts";

describe("reading a version", () => {
  test.each([
    ["v1.34.1", "1.34.1"],
    ["1.34.1", "1.34.1"],
    ["v1.34", "1.34.0"],
    ["1", "1.0.0"],
    ["v01.034.1", "1.34.1"],
    [" v1.2.3 ", "1.2.3"],
    ["v1.2.3-rc.1", "1.2.3-rc.1"],
    ["v1.2.3+build-1", "1.2.3+build-1"],
    ["v1.2.3-a-b.0+c.01", "1.2.3-a-b.0+c.01"],
  ])("%s is %s", (text, printed) => {
    const version = parseSemanticVersion(text);
    expect(version && printSemanticVersion(version)).toBe(printed);
  });

  test.each([
    "",
    "v",
    "latest",
    "1.2.3.4",
    "1.x.3",
    "1.2-rc.1",
    "1.2.3-",
    "1.2.3-01",
    "1.2.3-a..b",
    "1.2.3+",
    "1.2.3-ä",
  ])("%j is none", (text) => {
    expect(parseSemanticVersion(text)).toBeUndefined();
  });
});

describe("comparing versions", () => {
  const ascending = [
    "1.2.3-1",
    "1.2.3-2",
    "1.2.3-10",
    "1.2.3-a",
    "1.2.3-a.1",
    "1.2.3-b",
    "1.2.3",
    "1.2.10",
    "1.10.0",
    "2.0.0",
  ];
  const versions = ascending.flatMap((text) => parseSemanticVersion(text) ?? []);

  test("an older one is below a newer one", () => {
    expect(versions.toReversed().toSorted(compareSemanticVersions).map(printSemanticVersion)).toEqual(ascending);
  });

  test("what it was built from does not count, nor what led to it where only releases do", () => {
    const [a, b] = [parseSemanticVersion("1.2.3-rc.1+a"), parseSemanticVersion("1.2.3+b")];
    expect(a && b && [compareReleases(a, b), compareSemanticVersions(a, { ...b, prerelease: a.prerelease })]).toEqual([
      0, 0,
    ]);
  });
});

test.each([
  ["v1.34.1", true],
  ["v1.34.1-rc.0+x_1", true],
  ["1.34.1", false],
  ["v1.34", false],
  ["v1.034.1", false],
  ["v1.34.1 ", false],
])("%j is a Kubernetes version: %s", (text, expected) => {
  expect(isKubernetesVersion(text)).toBe(expected);
});
