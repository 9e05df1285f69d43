import { quote } from "./quote.ts";

/** Turns lines of JSON into lines for people: `<time> INFO  <message> key=value other="with blanks"`. */
export function createTextWriter(destination: { write(line: string): unknown }): (line: string) => void {
  return (line) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the logger hands over lines it wrote as objects
    const { time, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const start = `${String(time)} ${String(level).toUpperCase().padEnd(5)} ${singleLine(String(message))}`;
    destination.write(`${[start, ...Object.entries(fields).map(printField)].join(" ")}\n`);
  };
}

function printField([name, value]: [string, unknown]): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${name.replaceAll(/[\s="]/g, "_")}=${isPlain(text) ? text : quote(text)}`;
}

function isPlain(text: string): boolean {
  return /^[^\s="\\\p{C}]+$/u.test(text);
}

/** A message must not be able to pass for several lines. */
function singleLine(message: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(message) ? quote(message).slice(1, -1).replaceAll('\\"', '"') : message;
}
