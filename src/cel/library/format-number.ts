// JavaScript prints no more digits than this.
const mostDigits = 100;

/** A double with so many digits after the point; a tie goes to the even digit. */
export function fixed(value: number, precision: number): string {
  const digits = Math.min(precision, mostDigits);
  // Beyond this JavaScript switches to an exponent, where a double is a whole number anyway.
  if (Math.abs(value) >= 1e21) return digits === 0 ? `${BigInt(value)}` : `${BigInt(value)}.${"0".repeat(digits)}`;
  return tieToEven(value.toFixed(digits), value.toFixed(Math.min(digits + 40, mostDigits)));
}

/** The same as people in the United States read it: digits in groups of three, infinity as its sign. */
export function grouped(value: number, precision: number): string {
  if (!Number.isFinite(value)) return symbol(value);
  const [whole = "", fraction] = fixed(value, precision).split(".");
  const groups = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

const raised: Readonly<Record<string, string>> = {
  "-": "⁻",
  "0": "⁰",
  "1": "¹",
  "2": "²",
  "3": "³",
  "4": "⁴",
  "5": "⁵",
  "6": "⁶",
  "7": "⁷",
  "8": "⁸",
  "9": "⁹",
};

/** A double as a power of ten with six digits; what is asked for as precision is the least width, as in Kubernetes. */
export function scientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return symbol(value).padStart(width);
  const exact = value.toExponential(mostDigits);
  const [mantissa = "", exponent = "0"] = value.toExponential(6).split("e");
  const [digits = ""] = exact.split("e");
  const power = exponent.replace("+", "").replace(/^(-?)(\d)$/, "$10$2");
  const text = `${tieToEven(mantissa, digits)}×10${power.replaceAll(/./g, (digit) => raised[digit] ?? digit)}`;
  return text.padStart(width);
}

/** JavaScript rounds a tie up, Go to the even digit; `exact` tells whether there was a tie. */
function tieToEven(rounded: string, exact: string): string {
  const rest = exact.slice(rounded.includes(".") ? rounded.length : rounded.length + 1);
  const wholeTie = !rounded.includes(".") && /^50*$/.test(exact.split(".")[1] ?? "");
  const isTie = rounded.includes(".") ? /^50*$/.test(rest) : wholeTie;
  const isOdd = /[13579]$/.test(rounded);
  if (!isTie || !isOdd) return rounded;
  return exact.slice(0, rounded.length);
}

function symbol(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "∞" : "-∞";
}
