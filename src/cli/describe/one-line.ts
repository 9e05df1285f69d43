/** What a message says in one line: its first cause with what leads there, and how many other lines there are. */
export function oneLine(message: string): string {
  const lines = message
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const at = lines.findIndex((line) => !isHeading(line));
  const first = lines.slice(0, at === -1 ? 1 : at + 1).map(withoutBullet);
  const others = at === -1 ? lines.slice(1) : lines.slice(at + 1).filter((line) => !isHeading(line));
  return `${shortened(first.join(" "))}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
}

/** A line that only says whose causes follow: `* NodeHealthy:`. */
function isHeading(line: string): boolean {
  return line.startsWith("* ") && line.endsWith(":");
}

function withoutBullet(line: string): string {
  return line.replace(/^\* /, "");
}

/** How much of a long text is shown: of a chain of errors the end says what happened. */
const room = { beginning: 40, end: 70 };

/** Longer than any word of a language: such a one may be cut. */
const longestWord = 60;

/** The beginning and the end of a long text, cut between words. */
function shortened(text: string): string {
  if (text.length <= room.beginning + room.end) return text;
  const words = text.split(" ").map((word) => (word.length > longestWord ? `${word.slice(0, longestWord)}…` : word));
  const head = fitting(words, room.beginning);
  const tail = fitting(words.slice(head.length).toReversed(), room.end).toReversed();
  const isWhole = head.length + tail.length === words.length;
  return [...head, ...(isWhole ? [] : ["…"]), ...tail].join(" ");
}

/** As many words as fit; one at least. */
function fitting(words: readonly string[], most: number): readonly string[] {
  let length = 0;
  const end = words.findIndex((word, index) => {
    length += word.length + 1;
    return index > 0 && length > most;
  });
  return end === -1 ? words : words.slice(0, end);
}
