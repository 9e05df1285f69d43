import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addQuantities,
  compareQuantities,
  milliUnits,
  parseQuantity,
  printQuantity,
  quantityFrom,
  subtractQuantities,
  wholeUnits,
} from "./quantity.ts";

describe("the form that is a quantity's own", () => {
  const cases: Record<string, string> = {
    "0": "0",
    "0Ki": "0",
    ".": "0",
    m: "0",
    "1": "1",
    "+1": "1",
    "00012": "12",
    "5.": "5",
    ".5": "500m",
    "1.5": "1500m",
    "1000m": "1",
    "1001m": "1001m",
    "1000": "1k",
    "1024": "1024",
    "1000k": "1M",
    "1.0001k": "1000100m",
    "1E": "1E",
    "999E": "999E",
    "1000E": "1000E",
    "1n": "1n",
    "1.5n": "2n",
    "0.5n": "1n",
    "-0.5n": "-1n",
    "1u": "1u",
    "1Ki": "1Ki",
    "1024Mi": "1Gi",
    "1000Mi": "1000Mi",
    "1.5Gi": "1536Mi",
    "1.5Ki": "1536",
    "0.5Mi": "512Ki",
    "0.5Ki": "512",
    "0.1Ki": "102400m",
    "-2Ki": "-2Ki",
    "1Ei": "1Ei",
    "8Ei": "9223372036854775807",
    "16Ei": "9223372036854775807",
    "12345678901234567890": "12345678901234567890",
    "1e3": "1e3",
    "1E3": "1e3",
    "1e+3": "1e3",
    "1e0": "1",
    "1.2e2": "120",
    "1e19": "10e18",
    "1E-2": "10e-3",
    "1.5e-2": "15e-3",
    "1000e3": "1e6",
    "1e30": "1e30",
    "1e-30": "1e-9",
  };
  test.each(Object.entries(cases))("%s is %s", (text, canonical) => {
    expect(printQuantity(parseQuantity(text))).toBe(canonical);
    expect(printQuantity(parseQuantity(canonical))).toBe(canonical);
  });
});

describe("refusals in the words of Kubernetes", () => {
  const misspelt = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const suffix = "unable to parse quantity's suffix";
  const cases: Record<string, string> = {
    "": misspelt,
    "1 Ki": misspelt,
    "1.2.3": misspelt,
    "1e3m": misspelt,
    "1Zi": misspelt,
    "0x1": misspelt,
    "١": misspelt,
    "1ki": suffix,
    "1K": suffix,
    "1e": suffix,
    "1e+": suffix,
    "1Ki5": suffix,
    "1mm": suffix,
    "1e99999999999": suffix,
    [`1${"0".repeat(20_000)}`]: "unable to parse numeric part of quantity",
  };
  test.each(Object.entries(cases))("%s", (text, message) => {
    expect(() => parseQuantity(text)).toThrow(expect.objectContaining({ code: "INVALID_QUANTITY", message }));
  });
});

const quantity = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.constantFrom("", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "e-3"),
  )
  .map(([number, suffix]) => parseQuantity(`${number}${suffix}`));

test("writing and reading again keeps the amount", () => {
  fc.assert(
    fc.property(quantity, (a) => {
      const again = parseQuantity(printQuantity(a));
      expect(compareQuantities(again, a)).toBe(0);
      expect(printQuantity(again)).toBe(printQuantity(a));
    }),
  );
});

test("sums come apart again, in any order", () => {
  fc.assert(
    fc.property(quantity, quantity, (a, b) => {
      const sum = addQuantities(a, b);
      expect(compareQuantities(subtractQuantities(sum, b), a)).toBe(0);
      expect(compareQuantities(addQuantities(b, a), sum)).toBe(0);
      expect(compareQuantities(a, b) + compareQuantities(b, a)).toBe(0);
    }),
  );
});

test.each([
  ["1Gi", "512Mi", "1536Mi"],
  ["1", "500m", "1500m"],
  ["0", "1Ki", "1Ki"],
  ["1Ki", "0.5", "1024500m"],
])("%s and %s are %s", (a, b, sum) => {
  expect(printQuantity(addQuantities(parseQuantity(a), parseQuantity(b)))).toBe(sum);
});

test.each([
  ["1.5", 2n, 1500n],
  ["-1.5", -1n, -1500n],
  ["1n", 1n, 1n],
  ["2Ki", 2048n, 2_048_000n],
])("%s counted in whole units and in thousandths", (text, whole, milli) => {
  expect([wholeUnits(parseQuantity(text)), milliUnits(parseQuantity(text))]).toEqual([whole, milli]);
});

test("numbers of JSON are quantities too", () => {
  expect([1, 1.5, 1e30, 1e-7, 12n].map((value) => printQuantity(quantityFrom(value)))).toEqual([
    "1",
    "1500m",
    "1e30",
    "100e-9",
    "12",
  ]);
});

test.each(["1".repeat(1_000_000), `1.${"1".repeat(1_000_000)}`])("a million digits that end in nonsense", (digits) => {
  expect(() => parseQuantity(`${digits}!`)).toThrow("quantities must match the regular expression");
});
