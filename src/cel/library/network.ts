import { quote } from "#base";
import { type FunctionDeclaration, method, overload } from "../check/declaration.ts";
import { boolType, intType, opaqueType, stringType, type Type } from "../check/type.ts";
import { Failure, ObjectValue } from "../values/value.ts";
import { Address, isMapped, parseAddress, readAddress } from "./address.ts";
import { instance, string } from "./kinds.ts";

/** An address with the number of its bits that name the network. */
export class Network extends ObjectValue {
  readonly typeName = "net.CIDR";
  readonly address: Address;
  readonly prefix: number;
  override readonly size: number;

  constructor(address: Address, prefix: number) {
    super();
    this.address = address;
    this.prefix = prefix;
    this.size = Math.ceil(prefix / 8);
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Network && other.prefix === this.prefix && other.address.equals(this.address);
  }

  contains(address: Address): boolean {
    return address.bits === this.address.bits && address.isIn(this.address.value, this.prefix);
  }

  masked(): Network {
    const { bits, value } = this.address;
    const shift = BigInt(bits - this.prefix);
    return new Network(new Address(bits, (value >> shift) << shift), this.prefix);
  }

  override toString(): string {
    return `${this.address.toString()}/${this.prefix}`;
  }
}

export const addressType: Type = opaqueType("net.IP");
export const networkType: Type = opaqueType("net.CIDR");

const address = instance(addressType, Address);
const network = instance(networkType, Network);

/** IP addresses. */
export const addresses: readonly FunctionDeclaration[] = [
  {
    name: "ip",
    overloads: [overload({ id: "string_to_ip", parameters: [string], result: addressType, run: parseAddress })],
  },
  {
    name: "isIP",
    overloads: [
      overload({
        id: "is_ip",
        parameters: [string],
        result: boolType,
        run: (text) => !(parseAddress(text) instanceof Failure),
      }),
    ],
  },
  {
    name: "ip.isCanonical",
    overloads: [
      overload({
        id: "ip_is_canonical",
        parameters: [string],
        result: boolType,
        run: (text) => {
          const parsed = parseAddress(text);
          return parsed instanceof Failure ? parsed : parsed.toString() === text;
        },
      }),
    ],
  },
  {
    name: "family",
    overloads: [
      method({
        id: "ip_family",
        parameters: [address],
        result: intType,
        run: ({ bits }) => (bits === 32 ? 4n : 6n),
      }),
    ],
  },
  question("isUnspecified", "ip_is_unspecified", ({ value }) => value === 0n),
  question("isLoopback", "ip_is_loopback", isLoopback),
  question("isLinkLocalMulticast", "ip_is_link_local_multicast", isLinkLocalMulticast),
  question("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocalUnicast),
  question("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
  {
    name: "string",
    overloads: [overload({ id: "ip_to_string", parameters: [address], result: stringType, run: String })],
  },
];

/** Networks in CIDR notation. */
export const networks: readonly FunctionDeclaration[] = [
  {
    name: "cidr",
    overloads: [overload({ id: "string_to_cidr", parameters: [string], result: networkType, run: parseNetwork })],
  },
  {
    name: "isCIDR",
    overloads: [
      overload({
        id: "is_cidr",
        parameters: [string],
        result: boolType,
        run: (text) => !(parseNetwork(text) instanceof Failure),
      }),
    ],
  },
  {
    name: "containsIP",
    overloads: [
      method({
        id: "cidr_contains_ip_string",
        parameters: [network, string],
        result: boolType,
        run: (whole, text) => {
          const part = parseAddress(text);
          // The reference loses the reason here.
          return part instanceof Failure ? new Failure("no such overload") : whole.contains(part);
        },
      }),
      method({
        id: "cidr_contains_ip_ip",
        parameters: [network, address],
        result: boolType,
        run: (whole, part) => whole.contains(part),
      }),
    ],
  },
  {
    name: "containsCIDR",
    overloads: [
      method({
        id: "cidr_contains_cidr_string",
        parameters: [network, string],
        result: boolType,
        run: (whole, text) => {
          const part = parseNetwork(text);
          return part instanceof Failure ? part : containsNetwork(whole, part);
        },
      }),
      method({ id: "cidr_contains_cidr", parameters: [network, network], result: boolType, run: containsNetwork }),
    ],
  },
  {
    name: "ip",
    overloads: [method({ id: "cidr_ip", parameters: [network], result: addressType, run: (of) => of.address })],
  },
  {
    name: "prefixLength",
    overloads: [
      method({ id: "cidr_prefix_length", parameters: [network], result: intType, run: (of) => BigInt(of.prefix) }),
    ],
  },
  {
    name: "masked",
    overloads: [method({ id: "cidr_masked", parameters: [network], result: networkType, run: (of) => of.masked() })],
  },
  {
    name: "string",
    overloads: [overload({ id: "cidr_to_string", parameters: [network], result: stringType, run: String })],
  },
];

function question(name: string, id: string, holds: (address: Address) => boolean): FunctionDeclaration {
  return { name, overloads: [method({ id, parameters: [address], result: boolType, run: holds })] };
}

function isLoopback({ bits, value }: Address): boolean {
  return bits === 32 ? value >> 24n === 127n : value === 1n;
}

function isMulticast({ bits, value }: Address): boolean {
  return bits === 32 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

function isLinkLocalMulticast({ bits, value }: Address): boolean {
  return bits === 32 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

function isLinkLocalUnicast({ bits, value }: Address): boolean {
  return bits === 32 ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan;
}

function isGlobalUnicast(of: Address): boolean {
  const isBroadcast = of.bits === 32 && of.value === 0xffffffffn;
  return of.value !== 0n && !isBroadcast && !isLoopback(of) && !isMulticast(of) && !isLinkLocalUnicast(of);
}

function containsNetwork(whole: Network, part: Network): boolean {
  return whole.prefix <= part.prefix && whole.contains(part.address);
}

const unreadable = "network address parse error during conversion from string: ";

function parseNetwork(text: string): Network | Failure {
  const refuse = (problem: string) =>
    new Failure(`${unreadable}${unreadable}netip.ParsePrefix(${quote(text)}): ${problem}`);
  const slash = text.lastIndexOf("/");
  if (slash === -1) return refuse("no '/'");
  const parsed = readAddress(text.slice(0, slash));
  if ("problem" in parsed) return refuse(parsed.problem);
  if (parsed.zone !== "") return refuse("IPv6 zones cannot be present in a prefix");
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,9})$/.test(bits)) return refuse(`bad bits after slash: ${quote(bits)}`);
  if (Number(bits) > parsed.bits) return refuse("prefix length out of range");
  if (isMapped(parsed)) return new Failure(`${unreadable}IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  return new Network(new Address(parsed.bits, parsed.value), Number(bits));
}
