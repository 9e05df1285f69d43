/** One clause of an Accept header, or a Content-Type. */
export interface MediaType {
  /** `application/json`, in lower case. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

interface Clause extends MediaType {
  readonly quality: number;
}

const remembered = new Map<string, readonly MediaType[]>();
const mostRemembered = 512;

/** The clauses of an Accept header, those that the client likes best first. */
export function parseAccept(header: string | undefined): readonly MediaType[] {
  if (header === undefined || header.trim() === "") return [{ type: "*/*", parameters: new Map() }];
  const known = remembered.get(header);
  if (known !== undefined) return known;
  const clauses = header
    .split(",")
    .map((text): Clause => {
      const media = parseMediaType(text);
      const quality = Number(media.parameters.get("q") ?? 1);
      return { ...media, quality: Number.isFinite(quality) ? quality : 1 };
    })
    .filter(({ type, quality }) => type !== "" && quality > 0)
    .toSorted((a, b) => b.quality - a.quality || wildness(a) - wildness(b));
  // Clients send few different ones; whoever sends many makes us forget, not grow.
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(header, clauses);
  return clauses;
}

/** `application/json; charset=utf-8` in parts. */
export function parseMediaType(text: string): MediaType {
  const [type = "", ...rest] = text.split(";");
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = "", ...value] = parameter.split("=");
    parameters.set(name.trim().toLowerCase(), unquoted(value.join("=").trim()));
  }
  return { type: type.trim().toLowerCase(), parameters };
}

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function wildness({ type }: MediaType): number {
  return type === "*/*" ? 2 : type.endsWith("/*") ? 1 : 0;
}
