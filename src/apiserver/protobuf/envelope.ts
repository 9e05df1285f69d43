import { describeKind, type JsonObject, kindOf } from "#machinery";
import { ByteReader } from "./byte-reader.ts";
import { decodeMessage } from "./decode-message.ts";
import { InvalidProtobufError } from "./errors.ts";
import { messageType } from "./message-type.ts";

/** The media type of bodies that `decodeProtobuf` reads. */
export const protobufMediaType = "application/vnd.kubernetes.protobuf";

/** Stands before every body, so that it is not taken for anything else. */
export const magic = Buffer.from("k8s\0", "latin1");

/** What a body says about itself before it says anything else. */
interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: ByteReader;
}

/** Reads a body as clients of built-in kinds send it: the object, with the apiVersion and kind that it gives itself. */
export function decodeProtobuf(body: Uint8Array): JsonObject {
  const { apiVersion, kind, message } = openEnvelope(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const type = messageType(apiVersion, kind);
  if (type === undefined) {
    const wanted = describeKind({ ...kindOf({ apiVersion, kind }) });
    throw new InvalidProtobufError(`there is no message for ${wanted}`);
  }
  return { ...decodeMessage(type, message), apiVersion, kind };
}

function openEnvelope(body: Buffer): Envelope {
  if (body.length === 0) throw new InvalidProtobufError("empty data");
  if (!body.subarray(0, magic.length).equals(magic)) {
    const expected = [...magic].join(" ");
    throw new InvalidProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${expected}]`,
    );
  }
  const reader = new ByteReader(body, magic.length);
  const read = { apiVersion: "", kind: "", encoding: "", message: new ByteReader(Buffer.alloc(0)) };
  while (!reader.isDone) {
    const { number, wire } = reader.tag();
    if (wire !== "bytes" || number > 3) reader.skip(wire);
    else if (number === 1) Object.assign(read, readTypeMeta(reader.inside()));
    else if (number === 2) read.message = reader.inside();
    else read.encoding = reader.inside().text();
  }
  if (read.encoding !== "") throw new InvalidProtobufError(`the content encoding ${read.encoding} is not understood`);
  return read;
}

function readTypeMeta(reader: ByteReader): { readonly apiVersion: string; readonly kind: string } {
  const texts = ["", "", ""];
  while (!reader.isDone) {
    const { number, wire } = reader.tag();
    if (wire === "bytes" && number < texts.length) texts[number] = reader.inside().text();
    else reader.skip(wire);
  }
  const [, apiVersion = "", kind = ""] = texts;
  return { apiVersion, kind };
}
