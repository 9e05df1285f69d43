import { quote } from "#base";
import { type FunctionDeclaration, method, overload } from "../check/declaration.ts";
import { boolType, intType, structType, type Type } from "../check/type.ts";
import { Failure, ObjectValue } from "../values/value.ts";
import { bool, instance, string } from "./kinds.ts";

/** A semantic version. */
export class Semver extends ObjectValue {
  readonly typeName = "kubernetes.Semver";
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Semver && this.compare(other) === 0;
  }

  /** Build metadata has no say in the order. */
  compare(other: Semver): number {
    for (const [index, number] of this.numbers.entries()) {
      const order = sign(number, other.numbers[index] ?? 0n);
      if (order !== 0) return order;
    }
    return comparePrereleases(this.prerelease, other.prerelease);
  }
}

export const semverType: Type = structType("kubernetes.Semver");

const semver = instance(semverType, Semver);

/** Semantic versions. */
export const semvers: readonly FunctionDeclaration[] = [
  {
    name: "semver",
    overloads: [
      overload({ id: "string_to_semver", parameters: [string], result: semverType, run: (text) => parse(text) }),
      overload({
        id: "string_bool_to_semver",
        parameters: [string, bool],
        result: semverType,
        run: (text, lenient) => (lenient ? parseLeniently(text) : parse(text)),
      }),
    ],
  },
  {
    name: "isSemver",
    overloads: [
      overload({
        id: "is_semver_string",
        parameters: [string],
        result: boolType,
        run: (text) => parse(text) instanceof Semver,
      }),
      overload({
        id: "is_semver_string_bool",
        parameters: [string, bool],
        result: boolType,
        run: (text, lenient) => (lenient ? parseLeniently(text) : parse(text)) instanceof Semver,
      }),
    ],
  },
  {
    name: "isGreaterThan",
    overloads: [
      method({
        id: "semver_is_greater_than",
        parameters: [semver, semver],
        result: boolType,
        run: (a, b) => a.compare(b) > 0,
      }),
    ],
  },
  {
    name: "isLessThan",
    overloads: [
      method({
        id: "semver_is_less_than",
        parameters: [semver, semver],
        result: boolType,
        run: (a, b) => a.compare(b) < 0,
      }),
    ],
  },
  {
    name: "compareTo",
    overloads: [
      method({
        id: "semver_compare_to",
        parameters: [semver, semver],
        result: intType,
        run: (a, b) => BigInt(a.compare(b)),
      }),
    ],
  },
  ...(["major", "minor", "patch"] as const).map((name, index) => ({
    name,
    overloads: [
      method({
        id: `semver_${name}`,
        parameters: [semver],
        result: intType,
        run: ({ numbers }) => BigInt.asIntN(64, numbers[index] ?? 0n),
      }),
    ],
  })),
];

const largest = 2n ** 64n - 1n;

function parse(text: string): Semver | Failure {
  if (text === "") return new Failure("Version string empty");
  const [major, minor, ...rest] = text.split(".");
  if (major === undefined || minor === undefined || rest.length === 0) {
    return new Failure("No Major.Minor.Patch elements found");
  }
  const tail = rest.join(".");
  const [beforeBuild, build] = cut(tail, "+");
  const [patch, prerelease] = cut(beforeBuild, "-");
  const numbers: bigint[] = [];
  for (const [name, digits] of [
    ["major", major],
    ["minor", minor],
    ["patch", patch],
  ] as const) {
    const number = parseNumber(name, digits);
    if (number instanceof Failure) return number;
    numbers.push(number);
  }
  const problem = prereleaseProblem(prerelease) ?? buildProblem(build);
  if (problem !== undefined) return new Failure(problem);
  const [first = 0n, second = 0n, third = 0n] = numbers;
  return new Semver([first, second, third], prerelease?.split(".") ?? []);
}

function parseNumber(name: string, digits: string): bigint | Failure {
  if (!/^\d*$/.test(digits)) return new Failure(`Invalid character(s) found in ${name} number ${quote(digits)}`);
  if (/^0\d/.test(digits)) {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return new Failure(`${title} number must not contain leading zeroes ${quote(digits)}`);
  }
  const unreadable = `strconv.ParseUint: parsing ${quote(digits)}: `;
  if (digits === "") return new Failure(`${unreadable}invalid syntax`);
  return digits.length > 20 || BigInt(digits) > largest
    ? new Failure(`${unreadable}value out of range`)
    : BigInt(digits);
}

function prereleaseProblem(prerelease: string | undefined): string | undefined {
  for (const part of prerelease?.split(".") ?? []) {
    if (part === "") return "Prerelease is empty";
    if (/^0\d+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes ${quote(part)}`;
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in prerelease ${quote(part)}`;
  }
  return undefined;
}

function buildProblem(build: string | undefined): string | undefined {
  for (const part of build?.split(".") ?? []) {
    if (part === "") return "Build meta data is empty";
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in build meta data ${quote(part)}`;
  }
  return undefined;
}

/** Forgives a leading `v`, leading zeros, and missing minor and patch numbers. */
function parseLeniently(text: string): Semver | Failure {
  const [major = "", minor, ...rest] = text.replace(/^v/, "").split(".");
  const given = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join(".")])];
  const parts = given.map((part) =>
    part.length > 1 ? part.replace(/^0+(?=\d)/, "").replace(/^0+(?=[^\d])/, "0") : part,
  );
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "")) {
    return new Failure("short version cannot contain PreRelease/Build meta data");
  }
  while (parts.length < 3) parts.push("0");
  return parse(parts.join("."));
}

function cut(text: string, mark: string): readonly [string, string | undefined] {
  const index = text.indexOf(mark);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

/** A version with a prerelease comes before the one without. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return sign(BigInt(b.length === 0 ? 0 : 1), BigInt(a.length === 0 ? 0 : 1));
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

function compareParts(a: string, b: string): number {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && otherIsNumber) return sign(BigInt(a), BigInt(b));
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}

function sign(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
