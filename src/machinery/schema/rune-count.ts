/** How many characters a text has, counted as Go counts runes. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) {
      count--;
      index++;
    }
  }
  return count;
}

export function hasAtLeast(text: string, least: number): boolean {
  if (text.length < least) return false;
  // A character takes at most two units, so twice as many units need no counting.
  return text.length >= 2 * least || runeCount(text) >= least;
}

export function hasAtMost(text: string, most: number): boolean {
  if (text.length <= most) return true;
  return text.length <= 2 * most && runeCount(text) <= most;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
