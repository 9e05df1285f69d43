/** What the declaration of a Go struct says about one field: how JSON writes it, and its number in protobuf. */
export interface GoField {
  readonly goName: string;
  readonly goType: string;
  /** Empty for an inlined struct. */
  readonly jsonName: string;
  readonly pointer: boolean;
  readonly inline: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly number: number;
}

const declaration = /^type (\w+) struct \{\n(.*?)^\}/gms;
const field = /^\t(?!\/\/)(?:(\w+)[ \t]+)?(\S[^`\n]*?)[ \t]*`json:"([^"]*)"([^`]*)`/;
const protobufNumber = /protobuf:"\w+,(\d+),/;

/** Reads the structs that Go source declares; fields that are not on the wire are left out. */
export function readGoStructs(source: string): ReadonlyMap<string, readonly GoField[]> {
  const structs = new Map<string, readonly GoField[]>();
  for (const [, name = "", body = ""] of source.matchAll(declaration)) {
    structs.set(name, body.split("\n").flatMap(readField));
  }
  return structs;
}

function readField(line: string): readonly GoField[] {
  const [, goName, goType = "", json = "", others = ""] = field.exec(line) ?? [];
  const number = Number(protobufNumber.exec(others)?.[1] ?? 0);
  const [jsonName = "", ...options] = json.split(",");
  if (goType === "" || jsonName === "-" || number === 0) return [];
  return [
    {
      goName: goName ?? goType,
      goType,
      jsonName,
      pointer: goType.startsWith("*"),
      inline: options.includes("inline"),
      omitEmpty: options.includes("omitempty"),
      omitZero: options.includes("omitzero"),
      number,
    },
  ];
}
