import { quote } from "#base";
import { Failure, ObjectValue } from "../values/value.ts";

/** An IPv4 or IPv6 address. */
export class Address extends ObjectValue {
  readonly typeName = "net.IP";
  readonly bits: 32 | 128;
  readonly value: bigint;
  override readonly size: number;

  constructor(bits: 32 | 128, value: bigint) {
    super();
    this.bits = bits;
    this.value = value;
    this.size = bits / 8;
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Address && other.bits === this.bits && other.value === this.value;
  }

  /** True where the leading bits are those of a network. */
  isIn(network: bigint, prefix: number): boolean {
    const shift = BigInt(this.bits - prefix);
    return this.value >> shift === network >> shift;
  }

  override toString(): string {
    return this.bits === 32 ? fourText(this.value) : sixText(this.value);
  }
}

/** Reads an address as Go's netip does; zones and IPv4 in the clothes of IPv6 are refused, as Kubernetes does. */
export function parseAddress(text: string): Address | Failure {
  const parsed = readAddress(text);
  if ("problem" in parsed) {
    return new Failure(`IP Address ${quote(text)} parse error during conversion from string: ${parsed.problem}`);
  }
  if (parsed.zone !== "") return new Failure(`IP address ${quote(text)} with zone value is not allowed`);
  if (isMapped(parsed)) return new Failure(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  return new Address(parsed.bits, parsed.value);
}

/** An address as it was written. */
export interface ParsedAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
  readonly zone: string;
}

export function isMapped({ bits, value }: ParsedAddress): boolean {
  return bits === 128 && value >> 32n === 0xffffn;
}

/** Reads any address, or says in Go's words why it is none. */
export function readAddress(text: string): ParsedAddress | { readonly problem: string } {
  const [mark] = /[.:%]/.exec(text) ?? [];
  const parsed =
    mark === "."
      ? readFour(text)
      : mark === ":"
        ? readSix(text)
        : refuse(mark === "%" ? "missing IPv6 address" : "unable to parse IP");
  if (!("problem" in parsed)) return parsed;
  const at = parsed.at === undefined ? "" : ` (at ${quote(parsed.at)})`;
  return { problem: `ParseAddr(${quote(text)}): ${parsed.problem}${at}` };
}

interface Refusal {
  readonly problem: string;
  readonly at?: string;
}

function refuse(problem: string, at?: string): Refusal {
  return at === undefined || at === "" ? { problem } : { problem, at };
}

function readFour(text: string): ParsedAddress | Refusal {
  const value = fourFields(text);
  return typeof value === "bigint" ? { bits: 32, value, zone: "" } : value;
}

function fourFields(text: string): bigint | Refusal {
  let value = 0n;
  let field = "";
  let fields = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (character >= "0" && character <= "9") {
      if (field === "0") return refuse("IPv4 field has octet with leading zero");
      field += character;
      if (Number(field) > 255) return refuse("IPv4 field has value >255");
    } else if (character === ".") {
      const isMissing = index === 0 || index === text.length - 1 || text[index - 1] === ".";
      if (isMissing) return refuse("IPv4 field must have at least one digit", text.slice(index));
      if (fields === 3) return refuse("IPv4 address too long");
      value = value * 256n + BigInt(field);
      fields += 1;
      field = "";
    } else return refuse("unexpected character", text.slice(index));
  }
  return fields < 3 ? refuse("IPv4 address too short") : value * 256n + BigInt(field);
}

function readSix(text: string): ParsedAddress | Refusal {
  const percent = text.indexOf("%");
  const zone = percent === -1 ? "" : text.slice(percent + 1);
  if (percent !== -1 && zone === "") return refuse("zone must be a non-empty string");
  const body = percent === -1 ? text : text.slice(0, percent);
  const groups = sixGroups(body);
  if ("problem" in groups) return groups;
  return { bits: 128, value: groups.value, zone };
}

/** Reads groups of 16 bits; `::` stands for as many zeros as are missing, at least one group. */
function sixGroups(body: string): { readonly value: bigint } | Refusal {
  const groups: bigint[] = [];
  let gap = body.startsWith("::") ? 0 : undefined;
  let rest = gap === undefined ? body : body.slice(2);
  if (gap !== undefined && rest === "") return { value: 0n };
  while (groups.length < 8) {
    const [digits = ""] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (digits.length > 4) return refuse("each group must have 4 or less digits", rest);
    if (digits === "") return refuse("each colon-separated field must have at least one digit", rest);
    if (rest[digits.length] === ".") {
      const four = embeddedFour(rest, groups.length, gap !== undefined);
      if (typeof four !== "bigint") return four;
      groups.push(four >> 16n, four & 0xffffn);
      rest = "";
      break;
    }
    groups.push(BigInt(`0x${digits}`));
    rest = rest.slice(digits.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) return refuse("unexpected character, want colon", rest);
    if (rest === ":") return refuse("colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (rest.startsWith(":")) {
      if (gap !== undefined) return refuse("multiple :: in address", rest);
      gap = groups.length;
      rest = rest.slice(1);
      if (rest === "") break;
    }
  }
  if (rest !== "") return refuse("trailing garbage after address", rest);
  return expand(groups, gap);
}

function embeddedFour(rest: string, groups: number, hasGap: boolean): bigint | Refusal {
  if (!hasGap && groups !== 6) {
    return refuse("embedded IPv4 address must replace the final 2 fields of the address", rest);
  }
  if (groups > 6) return refuse("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
  return fourFields(rest);
}

function expand(groups: readonly bigint[], gap: number | undefined): { readonly value: bigint } | Refusal {
  if (groups.length === 8 && gap !== undefined) return refuse("the :: must expand to at least one field of zeros");
  if (groups.length < 8 && gap === undefined) return refuse("address string too short");
  const zeros = Array.from({ length: 8 - groups.length }, () => 0n);
  const all = [...groups.slice(0, gap ?? 8), ...zeros, ...groups.slice(gap ?? 8)];
  return { value: all.reduce((value, group) => (value << 16n) | group, 0n) };
}

function fourText(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
}

/** The longest run of zero groups, the first of equal ones, is written as `::`. */
function sixText(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - index * 16)) & 0xffffn);
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (groups[start + length] === 0n) length += 1;
    if (length > best.length) best = { start, length };
  }
  const texts = groups.map((group) => group.toString(16));
  if (best.length < 2) return texts.join(":");
  return `${texts.slice(0, best.start).join(":")}::${texts.slice(best.start + best.length).join(":")}`;
}
