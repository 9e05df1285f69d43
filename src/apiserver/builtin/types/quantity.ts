// Quantities keep three digits after the point at most; finer ones are rounded up.
const finest = 9;
const binary = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const suffixOf = new Map(Object.entries(decimal).map(([suffix, exponent]) => [exponent, suffix]));
const form = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** A quantity as Kubernetes writes it: `0.5` is `500m`, `1024Mi` is `1Gi`; undefined where the text is none. */
export function canonicalQuantity(text: string): string | undefined {
  const [all, sign = "", whole = "", fraction = "", suffix = ""] = form.exec(text) ?? [];
  if (all === undefined || (whole === "" && fraction === "")) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const minus = sign === "-" ? "-" : "";
  if (digits === 0n) return "0";
  if (suffix.endsWith("i")) return `${minus}${binaryText(digits, fraction.length, binary.indexOf(suffix))}`;
  const scientific = /^[eE]/.test(suffix) && suffix.length > 1;
  const exponent = scientific ? Number(suffix.slice(1)) : (decimal[suffix] ?? 0);
  if (Math.abs(exponent) > 400) return undefined;
  const amount = toNanos(digits, exponent - fraction.length);
  return `${minus}${scientific ? scientificText(amount) : decimalText(amount)}`;
}

/** How many thousand-millionths there are, rounded up. */
function toNanos(digits: bigint, exponent: number): bigint {
  const shift = exponent + finest;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  return (digits + unit - 1n) / unit;
}

function decimalText(nanos: bigint): string {
  const { mantissa, exponent } = inThousands(nanos);
  const highest = Math.min(exponent, 18);
  return `${mantissa * 10n ** BigInt(exponent - highest)}${suffixOf.get(highest) ?? ""}`;
}

function scientificText(nanos: bigint): string {
  const { mantissa, exponent } = inThousands(nanos);
  return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
}

function inThousands(nanos: bigint): { readonly mantissa: bigint; readonly exponent: number } {
  let mantissa = nanos;
  let exponent = -finest;
  while (mantissa % 1000n === 0n) {
    mantissa /= 1000n;
    exponent += 3;
  }
  return { mantissa, exponent };
}

function binaryText(digits: bigint, places: number, power: number): string {
  const nanos = toNanos(digits * 1024n ** BigInt(power), -places);
  const one = 10n ** BigInt(finest);
  // What is no whole number of bytes is written in thousandths, as it cannot have a binary suffix.
  if (nanos % one !== 0n || nanos / one < 1024n) return decimalText(nanos);
  let mantissa = nanos / one;
  let index = 0;
  while (mantissa % 1024n === 0n && index < binary.length - 1) {
    mantissa /= 1024n;
    index += 1;
  }
  return `${mantissa}${binary[index] ?? ""}`;
}
