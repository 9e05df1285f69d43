/** The most characters that the message of a condition may have. */
export const longestMessage = 32_768;

/** The most that the message of a deprecated condition may have. */
export const longestDeprecatedMessage = 10_240;

const mark = "… (shortened)";

/** A text, or its beginning where it is too long: a server refuses the whole status for one message that is. */
export function shortened(text: string, most: number): string {
  // No text has more characters than code units.
  if (text.length <= most) return text;
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - mark.length).join("")}${mark}`;
}
