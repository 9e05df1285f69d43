/** A field of a protobuf message; `type` is a scalar or the full name of a message. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly shape: "single" | "list" | "map";
}

const messages = /^message (\w+) \{\n(.*?)^\}/gms;
const plain = /^(optional|repeated) (\S+) (\w+) = (\d+);$/;
const mapped = /^map<string, (\S+)> (\w+) = (\d+);$/;
const scalars = new Set(["string", "bool", "int32", "int64", "uint32", "uint64", "double", "float", "bytes"]);

/** Reads the messages of a `.proto` file by their full names. */
export function readProtoMessages(text: string): ReadonlyMap<string, readonly ProtoField[]> {
  const source = text.replaceAll(/\/\/.*$/gm, "");
  const home = /^package ([\w.]+);/m.exec(source)?.[1] ?? "";
  const found = new Map<string, readonly ProtoField[]>();
  for (const [, name = "", body = ""] of source.matchAll(messages)) {
    const lines = body.split("\n").map((line) => line.trim());
    found.set(
      `${home}.${name}`,
      lines.filter((line) => line !== "").map((line) => readField(line, home)),
    );
  }
  return found;
}

function readField(line: string, home: string): ProtoField {
  const single = plain.exec(line);
  if (single !== null) {
    const [, label, type = "", name = "", number] = single;
    const shape = label === "repeated" ? "list" : "single";
    return { name, number: Number(number), type: fullName(type, home), shape };
  }
  const [, type, name = "", number] = mapped.exec(line) ?? [];
  if (type === undefined) throw new Error(`cannot read the field ${JSON.stringify(line)} in ${home}`);
  return { name, number: Number(number), type: fullName(type, home), shape: "map" };
}

function fullName(type: string, home: string): string {
  if (scalars.has(type)) return type;
  return type.startsWith(".") ? type.slice(1) : `${home}.${type}`;
}
