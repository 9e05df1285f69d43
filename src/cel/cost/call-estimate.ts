import { sameType, type Type } from "../check/type.ts";
import { patternFactor, traversalFactor } from "./call-cost.ts";
import type { CallEstimate, Part } from "./estimate.ts";
import { exactly, limitless, one, plus, type Range, scaled, times, zero } from "./range.ts";
import { estimateReplace } from "./replace-estimate.ts";

interface CallParts {
  /** What stands before the dot. */
  readonly target: Part | undefined;
  readonly parts: readonly Part[];
  readonly sizeOf: (part: Part) => Range;
}

type Estimate = (call: CallParts, overload: string) => CallEstimate | undefined;

/** What a call costs beyond its arguments. */
export function estimateCall(name: string, overload: string, call: CallParts): CallEstimate {
  return byOverload.get(overload)?.(call, overload) ?? byFunction.get(name)?.(call, overload) ?? { cost: one };
}

const readArgument: Estimate = ({ parts: [text], sizeOf }) =>
  text === undefined ? undefined : { cost: scaled(sizeOf(text), traversalFactor) };

const readTarget: Estimate = ({ target, sizeOf }) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  return { cost: scaled(size, traversalFactor), size };
};

const walkTarget: Estimate = ({ target, sizeOf }) => {
  if (target === undefined) return undefined;
  const element = elementOf(target);
  if (element === undefined) return { cost: scaled(sizeOf(target), traversalFactor) };
  const isText = element.type.kind === "string" || element.type.kind === "bytes";
  const each = isText ? plus(one, scaled(sizeOf(element), traversalFactor)) : one;
  return { cost: times(sizeOf(target), each) };
};

const findPattern: Estimate = ({ target, parts: [pattern], sizeOf }) => {
  if (target === undefined || pattern === undefined) return undefined;
  const size = sizeOf(target);
  return { cost: matchCost(size, sizeOf(pattern)), size: { least: 0n, most: size.most } };
};

const addressSize: Range = { least: 4n, most: 16n };
const addressComparison = scaled(plus(addressSize, addressSize), traversalFactor);
const longestNamePattern = 128;
const longestFormat = 64n;

const byFunction: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"].map((name) => [name, walkTarget] as const),
  ...["lowerAscii", "upperAscii", "substring", "trim"].map((name) => [name, readTarget] as const),
  ...["cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"].map(
    (name) => [name, readArgument] as const,
  ),
  ["url", (call, id) => ({ cost: one, ...readArgument(call, id), ...sizeOfArgument(call) })],
  ["ip", (call, id) => (id === "cidr_ip" ? { cost: one } : readArgument(call, id))],
  ["ip.isCanonical", ({ parts: [text], sizeOf }) => text && { cost: scaled(sizeOf(text), 2 * traversalFactor) }],
  ["replace", ({ target, parts, sizeOf }) => estimateReplace(target && sizeOf(target), parts.map(sizeOf))],
  ["split", estimateSplit],
  ["join", estimateJoin],
  ["find", findPattern],
  ["findAll", findPattern],
  ["containsIP", (call, id) => addressCost(addressComparison, call, id === "cidr_contains_ip_string")],
  [
    "containsCIDR",
    (call, id) => {
      const mask = plus(scaled(addressSize, traversalFactor), one);
      return addressCost(plus(addressComparison, mask), call, id === "cidr_contains_cidr_string");
    },
  ],
  [
    "validate",
    ({ parts: [text], sizeOf }) =>
      text && { cost: scaled(scaled(sizeOf(text), traversalFactor), longestNamePattern * patternFactor) },
  ],
]);

const byOverload: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ["string_format", ({ target }) => target && { cost: scaled(sizeOrUnknown(target), traversalFactor) }],
  ["string_to_bytes", ({ parts: [text] }) => text && converted(text, (size) => ({ ...size, most: times4(size.most) }))],
  ["bytes_to_string", ({ parts: [text] }) => text && converted(text, (size) => ({ ...size, least: size.least / 4n }))],
  [
    "strings_quote",
    ({ parts: [text] }) =>
      text &&
      converted(text, ({ least, most }) => ({
        least: BigInt.asUintN(64, least + 2n),
        most: BigInt.asUintN(64, most * 2n + 2n),
      })),
  ],
  ["starts_with_string", ({ parts: [part] }) => part && { cost: scaled(sizeOrUnknown(part), traversalFactor) }],
  ["ends_with_string", ({ parts: [part] }) => part && { cost: scaled(sizeOrUnknown(part), traversalFactor) }],
  ["in_list", ({ parts: [, list] }) => list && { cost: sizeOrUnknown(list) }],
  [
    "matches_string",
    ({ target, parts: [pattern] }) =>
      target && pattern && { cost: matchCost(sizeOrUnknown(target), sizeOrUnknown(pattern)) },
  ],
  [
    "contains_string",
    ({ target, parts: [part] }) =>
      target &&
      part && {
        cost: times(scaled(sizeOrUnknown(target), traversalFactor), scaled(sizeOrUnknown(part), traversalFactor)),
      },
  ],
  ["add_string", ({ parts }) => joined(parts, (size) => scaled(size, traversalFactor))],
  ["add_bytes", ({ parts }) => joined(parts, (size) => scaled(size, traversalFactor))],
  ["add_list", ({ parts }) => joined(parts, () => one)],
  ...["less", "less_equals", "greater", "greater_equals"].flatMap(
    (name) =>
      [
        [`${name}_string`, compared],
        [`${name}_bytes`, compared],
      ] as const,
  ),
  ["equals", (call) => estimateEquality(call) ?? compared(call)],
  ["not_equals", compared],
  ["list_sets_contains_list", (call) => setCost(call, 1)],
  ["list_sets_intersects_list", (call) => setCost(call, 1)],
  ["list_sets_equivalent_list", (call) => setCost(call, 2)],
  ["list_slice", estimateSlice],
  ["lists_range", ({ parts: [count] }) => count && newList(exactly(literalInt(count, limitless)), 1)],
  ["list_reverse", ({ target, sizeOf }) => target && newList(sizeOf(target), 1)],
  ["list_flatten", ({ target, sizeOf }) => target && newList(sizeOf(target), 1)],
  [
    "list_flatten_int",
    ({ target, parts: [depth], sizeOf }) =>
      target && depth && newList(sizeOf(target), Number(literalInt(depth, limitless))),
  ],
  ["list_distinct", ({ target, sizeOf }) => target && newList(square(sizeOf(target)), 2)],
  ...["int", "uint", "double", "bool", "google.protobuf.Duration", "google.protobuf.Timestamp"].flatMap((type) =>
    sorting(type, 2),
  ),
  ...["string", "bytes"].flatMap((type) => sorting(type, 2 + traversalFactor)),
]);

function sorting(type: string, factor: number): readonly (readonly [string, Estimate])[] {
  return [
    [`list_${type}_sort`, ({ target, sizeOf }) => target && newList(square(sizeOf(target)), factor)],
    [`list_${type}_sortByAssociatedKeys`, ({ parts: [keys], sizeOf }) => keys && newList(square(sizeOf(keys)), factor)],
  ];
}

function sizeOrUnknown({ size }: Part): Range {
  return size ?? { least: 0n, most: limitless };
}

function sizeOfArgument({ parts: [text], sizeOf }: CallParts): { readonly size?: Range } {
  return text === undefined ? {} : { size: sizeOf(text) };
}

function matchCost(text: Range, pattern: Range): Range {
  // One more than the text has, because a pattern costs something on an empty text too.
  return times(scaled(plus(text, one), traversalFactor), scaled(pattern, patternFactor));
}

function converted(text: Part, resize: (size: Range) => Range): CallEstimate {
  const size = sizeOrUnknown(text);
  return { cost: scaled(size, traversalFactor), size: resize(size) };
}

function times4(size: bigint): bigint {
  return BigInt.asUintN(64, size * 4n);
}

function joined([left, right]: readonly Part[], cost: (size: Range) => Range): CallEstimate | undefined {
  if (left === undefined || right === undefined) return undefined;
  const size = plus(sizeOrUnknown(left), sizeOrUnknown(right));
  return { cost: cost(size), size };
}

function compared({ parts: [left, right] }: CallParts): CallEstimate | undefined {
  if (left === undefined || right === undefined) return undefined;
  const [a, b] = [sizeOrUnknown(left).most, sizeOrUnknown(right).most];
  const most = a < b ? a : b;
  return { cost: scaled({ least: most > 0n ? 1n : 0n, most }, traversalFactor) };
}

const unitObjects: ReadonlySet<string> = new Set(["kubernetes.Quantity", "kubernetes.Semver"]);

/** Kubernetes' own types are compared in a step, or as long as their text may be. */
function estimateEquality({ parts: [left, right] }: CallParts): CallEstimate | undefined {
  if (left === undefined || right === undefined || !sameType(left.type, right.type)) return undefined;
  const { kind, name }: Type = left.type;
  if (kind === "opaque") return name === "net.IP" || name === "net.CIDR" ? { cost: one } : undefined;
  if (kind !== "struct") return undefined;
  if (unitObjects.has(name)) return { cost: one };
  if (name === "kubernetes.NamedFormat") return { cost: scaled({ least: 1n, most: longestFormat }, traversalFactor) };
  if (name !== "kubernetes.URL") return undefined;
  return { cost: scaled({ least: 1n, most: right.size?.most ?? 1n }, traversalFactor) };
}

function elementOf({ type, path }: Part): Part | undefined {
  const [element] = type.parameters;
  if (element === undefined) return undefined;
  return { expression: undefined, type: element, path: path && [...path, "@items"], size: undefined };
}

function estimateSplit({ target, parts: [, count], sizeOf }: CallParts): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const most = count?.expression?.kind === "literal" ? BigInt.asUintN(64, literalInt(count, size.most)) : size.most;
  return { cost: scaled(size, 2 * traversalFactor), size: { least: 0n, most } };
}

function estimateJoin({ target, parts: [separator], sizeOf }: CallParts): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const element = elementOf(target);
  let size = element === undefined ? zero : times(count, sizeOf(element));
  if (separator !== undefined) {
    const gaps = { least: count.least > 0n ? count.least - 1n : 0n, most: count.most > 0n ? count.most - 1n : 0n };
    size = plus(size, times(sizeOf(separator), gaps));
  }
  return { cost: scaled(size, traversalFactor), size };
}

function addressCost(base: Range, { parts: [other], sizeOf }: CallParts, isText: boolean): CallEstimate | undefined {
  if (other === undefined) return undefined;
  return { cost: isText ? plus(base, scaled(sizeOf(other), traversalFactor)) : base };
}

function setCost({ parts: [a, b], sizeOf }: CallParts, factor: number): CallEstimate | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { cost: plus(scaled(times(sizeOf(a), sizeOf(b)), factor), one) };
}

function estimateSlice({ target, parts: [start, end], sizeOf }: CallParts): CallEstimate | undefined {
  if (target === undefined || start === undefined || end === undefined) return undefined;
  const size = BigInt.asUintN(64, literalInt(end, sizeOf(target).most) - literalInt(start, 0n));
  return newList(exactly(size), 1);
}

function newList(size: Range, factor: number): CallEstimate {
  return { cost: plus(scaled(size, factor), exactly(11n)), size };
}

function square(size: Range): Range {
  return times(size, size);
}

/** A literal count, never below zero; what stands there otherwise is not known yet. */
function literalInt({ expression }: Part, otherwise: bigint): bigint {
  if (expression?.kind !== "literal" || typeof expression.value !== "bigint") return otherwise;
  return expression.value < 0n ? 0n : expression.value;
}
