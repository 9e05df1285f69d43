import { headerText, type WireHeaders } from "../wire/wire.ts";

// `299 <who> "<text>"` and possibly a date, several of them separated by commas.
const warning = /(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;

/** The warnings that an answer carries for people to read. */
export function warningsIn(headers: WireHeaders): readonly string[] {
  const text = headerText(headers, "warning");
  if (text === undefined) return [];
  return [...text.matchAll(warning)].flatMap(([, code, , quoted = ""]) =>
    code === "299" ? [quoted.replaceAll(/\\(.)/g, "$1")] : [],
  );
}
