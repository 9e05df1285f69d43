interface Reading {
  /** Old tools wrote `010.0.0.1`; where Kubernetes forgives that, so do we. */
  readonly leadingZeros: boolean;
}

const strict: Reading = { leadingZeros: false };
const forgiving: Reading = { leadingZeros: true };

/** An address that is written with dots, possibly at the end of an IPv6 one. */
export function isIPv4(text: string): boolean {
  return text.includes(".") && isIp(text, forgiving);
}

export function isIPv6(text: string): boolean {
  return text.includes(":") && isIp(text, strict);
}

/** An address and the length of its prefix. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  if (!/^[0-9]+$/.test(length) || !isIp(address, forgiving)) return false;
  return Number(length) <= (address.includes(":") ? 128 : 32);
}

/** A hardware address of 6, 8 or 20 bytes. */
export function isMac(text: string): boolean {
  const byBytes = /^[0-9a-fA-F]{2}(?:(?::[0-9a-fA-F]{2})+|(?:-[0-9a-fA-F]{2})+)$/;
  const byPairs = /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/;
  if (byBytes.test(text)) return [6, 8, 20].includes((text.length + 1) / 3);
  return byPairs.test(text) && [6, 8, 20].includes((2 * (text.length + 1)) / 5);
}

function isIp(text: string, reading: Reading): boolean {
  return text.includes(":") ? isColonForm(text, reading) : isDottedForm(text, reading);
}

function isDottedForm(text: string, { leadingZeros }: Reading): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => isByte(part, leadingZeros));
}

function isByte(part: string, leadingZeros: boolean): boolean {
  if (!/^[0-9]+$/.test(part) || Number(part) > 255) return false;
  return leadingZeros || part === "0" || !part.startsWith("0");
}

function isColonForm(text: string, reading: Reading): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const counts = halves.map((half, index) => groupCount(half, { ...reading, last: index === halves.length - 1 }));
  if (counts.includes(undefined)) return false;
  const groups = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  // The gap stands for one group at least.
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

function groupCount(half: string, { last, leadingZeros }: Reading & { readonly last: boolean }): number | undefined {
  if (half === "") return 0;
  const parts = half.split(":");
  const tail = parts.at(-1) ?? "";
  const dotted = last && tail.includes(".");
  const groups = dotted ? parts.slice(0, -1) : parts;
  if (dotted && !isDottedForm(tail, { leadingZeros })) return undefined;
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return groups.length + (dotted ? 2 : 0);
}
