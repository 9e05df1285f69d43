const pairStart = /[\ud800-\udbff]/;

/** How many Unicode code points a text has, which is how CEL measures it. */
export function codePoints(text: string): number {
  // Most long texts have no pairs, and looking for one is much faster than counting.
  if (text.length > 100 && !pairStart.test(text)) return text.length;
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    // The second half of a pair does not count; a lone half does.
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** The code points of a text, each as a text. */
export function characters(text: string): string[] {
  return Array.from(text);
}
