import { isIPv4, isIPv6 } from "node:net";
import { type FieldError, type FieldPath, invalid } from "#machinery";

/** Address ranges can be read. */
export function cidrErrors(blocks: readonly string[] | undefined = [], at: FieldPath): readonly FieldError[] {
  return blocks.flatMap((block, index) =>
    isCidr(block) ? [] : [invalid(at.index(index), block, `invalid CIDR address: ${block}`)],
  );
}

function isCidr(text: string): boolean {
  const [address = "", length = "", ...others] = text.split("/");
  if (others.length > 0 || !/^[0-9]{1,8}$/.test(length)) return false;
  if (isIPv4(address)) return Number(length) <= 32;
  // A zone names an interface of one machine, which no range has.
  return isIPv6(address) && !address.includes("%") && Number(length) <= 128;
}
