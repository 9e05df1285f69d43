import { Uint, type Value } from "../values/value.ts";
import type { Token } from "./lexer.ts";
import { unescapeBytes, unescapeString } from "./unescape.ts";

const largestInt = 2n ** 63n - 1n;
const largestUint = 2n ** 64n - 1n;

/** The value that a literal token stands for, or what is wrong with it. */
export function readLiteral(token: Token, negative: boolean): { readonly value: Value } | { readonly problem: string } {
  switch (token.kind) {
    case "NUM_INT": {
      const value = negative ? -BigInt(token.text) : BigInt(token.text);
      const fits = value <= largestInt && value >= -largestInt - 1n;
      return fits ? { value } : { problem: "invalid int literal" };
    }
    case "NUM_UINT": {
      const value = BigInt(token.text.slice(0, -1));
      return value <= largestUint ? { value: new Uint(value) } : { problem: "invalid uint literal" };
    }
    case "NUM_FLOAT": {
      const value = Number(token.text);
      return Number.isFinite(value) ? { value: negative ? -value : value } : { problem: "invalid double literal" };
    }
    case "STRING": {
      const read = unescapeString(token.text);
      return "problem" in read ? read : { value: read.text };
    }
    case "BYTES": {
      const read = unescapeBytes(token.text.slice(1));
      return "problem" in read ? read : { value: read.bytes };
    }
    case "true":
      return { value: true };
    case "false":
      return { value: false };
    default:
      return { value: null };
  }
}
