/** A text that goes on over lines: a line break is a space, and each empty line is a line break. */
export function foldedText(first: string, others: string): string {
  const lines = others.split("\n");
  const last = lines.pop() ?? "";
  let text = first.trimEnd();
  let breaks = 0;
  for (const line of lines) {
    const said = line.trim();
    if (said !== "") text += `${joint(breaks)}${said}`;
    breaks = said === "" ? breaks + 1 : 0;
  }
  return `${text}${joint(breaks)}${last.trimStart()}`;
}

function joint(breaks: number): string {
  return breaks === 0 ? " " : "\n".repeat(breaks);
}

/** What a text in quotes says; undefined for escapes that JSON does not have. */
export function quotedText(written: string): string | undefined {
  const inside = written.slice(1, -1);
  const end = inside.indexOf("\n");
  const folded = end === -1 ? inside : foldedText(inside.slice(0, end), inside.slice(end + 1));
  if (written.startsWith("'")) return folded.includes("'") ? folded.replaceAll("''", "'") : folded;
  return folded.includes("\\") ? unescaped(folded) : folded;
}

const escapes = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/g;

function unescaped(text: string): string | undefined {
  if (text.includes("\n") || text.replaceAll(escapes, "").includes("\\")) return undefined;
  const value: unknown = JSON.parse(`"${text}"`);
  return typeof value === "string" ? value : undefined;
}
