import { spendSteps } from "./work.ts";

const pairStart = /[\ud800-\udbff]/;

/** How many Unicode code points a text has, which is how CEL measures it. */
export function codePoints(text: string): number {
  return text.length > longText ? knownCount(text) : count(text);
}

const longText = 1000;
// Few, because they are kept alive.
const mostKnown = 8;
const known = new Map<string, number>();

/** A loop may ask for the length of one long text again and again. */
function knownCount(text: string): number {
  const found = known.get(text);
  if (found !== undefined) return found;
  const counted = pairStart.test(text) ? count(text) : text.length;
  if (known.size === mostKnown) known.clear();
  known.set(text, counted);
  return counted;
}

function count(text: string): number {
  let points = text.length;
  for (let index = 0; index < text.length; index++) {
    // The second half of a pair does not count; a lone half does.
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      points -= 1;
      index += 1;
    }
  }
  return points;
}

/** The code point at an index, nothing beyond the end. */
export function characterAt(text: string, index: number): string {
  if (codePoints(text) === text.length) return text[index] ?? "";
  // Looking for a character among pairs takes as long as the text is, and counts as one step of cost.
  spendSteps(text.length / 10);
  return characters(text)[index] ?? "";
}

/** The code points of a text, each as a text. */
export function characters(text: string): string[] {
  return Array.from(text);
}
