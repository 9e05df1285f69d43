// No vowels and no look-alikes, so that chance spells no words and nothing is misread.
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const longestName = 63;

/** A name from a beginning: cut to 58 bytes, with five characters that `random`, numbers from 0 up to 1, decides. */
export function generateName(base: string, random: () => number): string {
  return cut(base, longestName - suffixLength) + randomSuffix(random);
}

/** The five characters at the end of generated names. */
export function randomSuffix(random: () => number): string {
  return Array.from({ length: suffixLength }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join("");
}

/** As many whole characters as fit into so many bytes. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let [end, size] = [0, 0];
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
